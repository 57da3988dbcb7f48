import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { demoPassword, demoRegionSite } from '../../src/demo/demo-data.ts';
import { demoUserId } from '../../src/demo/seed-regions.ts';
import { deriveKeys } from '../../src/lib/keys.ts';
import type { Keys, SigningKey } from '../../src/lib/keys.ts';
import { startApplication } from '../application.ts';
import type { TestApplication } from '../application.ts';
import type { TestDatabase } from '../describe-store.ts';
import { findFreePort } from '../../../tools/start/ports.ts';
import { movableClock } from '../movable-clock.ts';

/** A region that listens on a local port, so that the other region's server can reach it. */
export type TestRegion = TestApplication & {
  name: string;
  url: string;
  /** Restarts the region on the same database, optionally with other keys or settings. */
  restart: (keys?: Keys, changes?: Record<string, string>) => Promise<void>;
  /** Starts another node on the same database, which other regions cannot reach. */
  openNode: () => Promise<TestApplication>;
  /** Disconnects the region's server from the network; `plugIn` connects it again. */
  unplug: () => Promise<void>;
  plugIn: () => Promise<void>;
};

export type TwoRegions = {
  eu: TestRegion;
  us: TestRegion;
  /** Advances the clocks of both regions. */
  advanceSeconds: (seconds: number) => void;
  close: () => Promise<void>;
};

/** A site with the home region us, known in both regions. The other demo sites are in eu. */
export const lakeside = demoRegionSite.name;
/** The same id in both regions. */
export const directorId = demoUserId('director@demo.example');

export function createRegionKey(kid: string): SigningKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256' };
}

/**
 * Creates the keys of a region.
 * @param regionKeys the key in use first
 */
export function createKeysOfRegion(regionKeys: SigningKey[], base?: Keys): Keys {
  if (base !== undefined) return { ...base, regionSigning: { keys: regionKeys } };
  const signing = { keys: [createRegionKey('tokens')] };
  return {
    ...deriveKeys([randomBytes(32).toString('base64url')], signing),
    regionSigning: { keys: regionKeys },
  };
}

/** Starts two regions on two databases, with demo data. */
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
    // The limits are high, because the tests sign in one user very often.
    CODE_LIMITS: 'off',
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

export const director = { site: 'harbor', userName: 'director@demo.example', password: demoPassword };
