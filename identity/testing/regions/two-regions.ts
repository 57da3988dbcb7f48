import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { generateKeyPairSync } from 'node:crypto';
import { demoPassword } from '../../src/demo/demo-data.ts';
import type { SigningKey } from '../../src/lib/keys.ts';
import { deriveKeys } from '../../src/lib/keys.ts';
import type { Keys } from '../../src/lib/keys.ts';
import { startApplication } from '../application.ts';
import type { TestApplication } from '../application.ts';
import type { TestDatabase } from '../describe-store.ts';
import { movableClock } from '../movable-clock.ts';

/** A region that listens on a port of this machine: its server is asked by the other's, as in production. */
export type TestRegion = TestApplication & {
  name: string;
  url: string;
  /** Stops it as a restart does, and starts it again on the same database, with other keys when they are given. */
  restart: (keys?: Keys) => Promise<void>;
  /** Takes its server away from the network, and gives it back. */
  unplug: () => Promise<void>;
  plugIn: () => Promise<void>;
};

export type TwoRegions = {
  eu: TestRegion;
  us: TestRegion;
  /** Moves both regions' clocks; each has one of its own. */
  advanceSeconds: (seconds: number) => void;
  close: () => Promise<void>;
};

/** The site whose home is us, and that both regions know. */
export const lakeside = 'lakeside';
export const directorId = 'the-director-of-both-regions';

export function createRegionKey(kid: string): SigningKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256' };
}

/** Keys as a region has them; `regionKeys`, the present one first. */
export function createKeysOfRegion(regionKeys: SigningKey[], base?: Keys): Keys {
  if (base !== undefined) return { ...base, regionSigning: { keys: regionKeys } };
  const signing = { keys: [createRegionKey('tokens')] };
  return {
    ...deriveKeys([randomBytes(32).toString('base64url')], signing),
    regionSigning: { keys: regionKeys },
  };
}

/** Two regions on two databases, with the same director, and a site in each that the other one knows of. */
export async function startTwoRegions(databases: {
  eu: TestDatabase;
  us: TestDatabase;
}): Promise<TwoRegions> {
  const [euPort, usPort] = [await findFreePort(), await findFreePort()];
  const urls = {
    eu: `http://eu.anteroom.localhost:${euPort}`,
    us: `http://us.anteroom.localhost:${usPort}`,
  };
  const settings = (name: 'eu' | 'us') => ({
    PUBLIC_URL: urls[name],
    REGIONS: `eu=${urls.eu},us=${urls.us}`,
    // one person signs in here more often than anybody does
    CODE_RESEND_WAIT_SECONDS: '0',
    CODES_PER_TEN_MINUTES: '100000',
    CODES_PER_DAY: '100000',
    CODES_PER_HOUR_AND_RANGE: '1000000',
  });
  const start = async (name: 'eu' | 'us', port: number): Promise<TestRegion> => {
    const clock = movableClock(new Date());
    const keys = createKeysOfRegion([createRegionKey(`${name}-1`)]);
    const begin = (now: Keys) =>
      startApplication(databases[name].database, { clock, keys: now, settings: settings(name) });
    const region: TestRegion = {
      ...(await begin(keys)),
      name,
      url: urls[name],
      async restart(others = region.keys) {
        region.app.server.closeAllConnections();
        await region.close();
        Object.assign(region, await begin(others));
        await region.plugIn();
      },
      async unplug() {
        region.app.server.closeAllConnections();
        await new Promise((resolve) => region.app.server.close(resolve));
      },
      plugIn: () =>
        new Promise((resolve, reject) => {
          region.app.server.once('error', reject);
          region.app.server.listen(port, '127.0.0.1', resolve);
        }),
    };
    await region.plugIn();
    return region;
  };
  const regions = { eu: await start('eu', euPort), us: await start('us', usPort) };
  await addSites(regions);
  return {
    ...regions,
    advanceSeconds(seconds) {
      regions.eu.clock.advanceSeconds(seconds);
      regions.us.clock.advanceSeconds(seconds);
    },
    async close() {
      await regions.eu.close();
      await regions.us.close();
    },
  };
}

async function addSites({ eu, us }: { eu: TestRegion; us: TestRegion }): Promise<void> {
  for (const region of [eu, us]) {
    const { database, clock } = region.services;
    const { id: oldId } = await database
      .selectFrom('people')
      .select('id')
      .where('user_name', '=', 'director@demo.example')
      .executeTakeFirstOrThrow();
    await renamePerson(region, oldId);
    const isHome = region === us;
    await database
      .insertInto('sites')
      .values({
        id: `${lakeside}-in-${region.name}`,
        name: lakeside,
        display_name: 'Lakeside Partners',
        identity_service_url: isHome ? null : us.url,
        created_at: clock.now(),
      })
      .execute();
    await database
      .insertInto('memberships')
      .values({ person_id: directorId, site_id: `${lakeside}-in-${region.name}`, created_at: clock.now() })
      .execute();
    // us knows the sites of eu as its own list does
    if (isHome)
      await database
        .updateTable('sites')
        .set({ identity_service_url: eu.url })
        .where('name', '!=', lakeside)
        .execute();
  }
}

/** The same person has the same id in both regions, as the operator's import gives it. */
async function renamePerson({ services: { database } }: TestRegion, oldId: string): Promise<void> {
  const person = await database
    .selectFrom('people')
    .selectAll()
    .where('id', '=', oldId)
    .executeTakeFirstOrThrow();
  await database
    .insertInto('people')
    .values({ ...person, id: directorId, user_name: `${directorId}@demo.example` })
    .execute();
  for (const table of ['credentials', 'sign_in_names', 'memberships', 'to_dos'] as const)
    await database.updateTable(table).set({ person_id: directorId }).where('person_id', '=', oldId).execute();
  await database.deleteFrom('people').where('id', '=', oldId).execute();
  await database
    .updateTable('people')
    .set({ user_name: person.user_name })
    .where('id', '=', directorId)
    .execute();
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

export const director = { site: 'harbor', userName: 'director@demo.example', password: demoPassword };
