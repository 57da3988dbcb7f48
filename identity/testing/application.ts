import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { buildApp } from '../src/app.ts';
import type { App } from '../src/app.ts';
import { parseConfig } from '../src/config/config.ts';
import type { Config } from '../src/config/config.ts';
import { seedDemoData } from '../src/demo/seed.ts';
import { deriveKeys } from '../src/lib/keys.ts';
import type { Keys, SigningKey } from '../src/lib/keys.ts';
import { createLog } from '../src/lib/log.ts';
import { secureRandom } from '../src/lib/random.ts';
import type { Recovery } from '../src/recovery/recovery.ts';
import type { AppDependencies, Services } from '../src/services.ts';
import type { Database } from '../src/store/schema.ts';
import { createBrowser } from './browser.ts';
import type { Browser } from './browser.ts';
import { movableClock } from './movable-clock.ts';
import type { MovableClock } from './movable-clock.ts';
import type { RelyingParty } from './relying-party.ts';

export const publicUrl = 'http://localhost:4400';

/** The demo portal, as registered by the demo data. */
export const portal: RelyingParty = { clientId: 'director', redirectUri: 'http://localhost:4401/callback' };

export type TestApplication = {
  app: App['server'];
  services: Services;
  recovery: Recovery;
  provider: App['provider'];
  checkReadiness: App['checkReadiness'];
  clock: MovableClock;
  keys: Keys;
  /** All log lines so far, as objects. */
  log: Record<string, unknown>[];
  openBrowser: () => Browser;
  close: () => Promise<void>;
};

/** The cheapest hash parameters, because other tests measure the cost of hashing. */
const environment = {
  NODE_ENV: 'test',
  WEB_DIST: 'none',
  ARGON2_MEMORY_KIB: '8',
  ARGON2_TIME_COST: '1',
};

/** Creates keys like those of production. */
export function createTestKeys(): Keys {
  const createKey = (kid: string): { keys: SigningKey[] } => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return { keys: [{ ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256' }] };
  };
  const keys = deriveKeys([randomBytes(32).toString('base64url')], createKey('test'));
  return { ...keys, regionSigning: createKey('region') };
}

/**
 * Starts the whole service with the demo data on the given database. Several applications on one database act as
 * several nodes. The test's clock starts at the real time, because the OpenID provider uses the real clock.
 */
export async function startApplication(
  database: Database,
  {
    clock = movableClock(new Date()),
    keys = createTestKeys(),
    settings = {},
    fixed = {},
    logLevel = 'debug',
    ...observers
  }: {
    clock?: MovableClock;
    keys?: Keys;
    settings?: Record<string, string>;
    /** Values that are no settings. */
    fixed?: Partial<Config>;
    logLevel?: Parameters<typeof createLog>[0];
  } & Pick<AppDependencies, 'tracing' | 'statements' | 'bodyMs'> = {},
): Promise<TestApplication> {
  const log: Record<string, unknown>[] = [];
  const config = { ...parseConfig({ ...environment, ...settings }), ...fixed };
  const { server, services, recovery, provider, checkReadiness } = await buildApp({
    config,
    database,
    keys,
    clock,
    random: secureRandom,
    ...observers,
    log: createLog(logLevel, {
      write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>),
    }),
  });
  if (config.demoData) await seedDemoData(services);
  return {
    app: server,
    services,
    recovery,
    provider,
    checkReadiness,
    clock,
    keys,
    log,
    openBrowser: () => createBrowser(server, config.publicUrl),
    close: () => server.close(),
  };
}
