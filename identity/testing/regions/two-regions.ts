import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { demoPassword, demoRegionSite } from '../../src/demo/demo-data.ts';
import { demoPersonId } from '../../src/demo/seed-regions.ts';
import { deriveKeys } from '../../src/lib/keys.ts';
import type { Keys, SigningKey } from '../../src/lib/keys.ts';
import { startApplication } from '../application.ts';
import type { TestApplication } from '../application.ts';
import type { TestDatabase } from '../describe-store.ts';
import { movableClock } from '../movable-clock.ts';

/** A region that listens on a port of this machine: its server is asked by the other's, as in production. */
export type TestRegion = TestApplication & {
  name: string;
  url: string;
  /** Stops it as a restart does, and starts it again on the same database, with other keys or settings when they are given. */
  restart: (keys?: Keys, changes?: Record<string, string>) => Promise<void>;
  /** One more node of it, on the same database; no other region reaches it. */
  openNode: () => Promise<TestApplication>;
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

/** The site whose home is us, and that both regions know; the other demo sites live in eu. */
export const lakeside = demoRegionSite.name;
/** The same in both regions. */
export const directorId = demoPersonId('director@demo.example');

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

/** Two regions on two databases, with the demo data of two regions. */
export async function startTwoRegions(
  databases: { eu: TestDatabase; us: TestDatabase },
  more: Record<string, string> = {},
): Promise<TwoRegions> {
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
    EXPECTED_USERS_PER_HOUR: '10000000',
    ...more,
  });
  const start = async (name: 'eu' | 'us', port: number): Promise<TestRegion> => {
    const clock = movableClock(new Date());
    const keys = createKeysOfRegion([createRegionKey(`${name}-1`)]);
    const begin = (now: Keys, changes: Record<string, string> = {}) =>
      startApplication(databases[name].database, {
        clock,
        keys: now,
        settings: { ...settings(name), ...changes },
      });
    const region: TestRegion = {
      ...(await begin(keys)),
      name,
      url: urls[name],
      openNode: () => begin(region.keys),
      async restart(others = region.keys, changes = {}) {
        region.app.server.closeAllConnections();
        await region.close();
        Object.assign(region, await begin(others, changes));
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
