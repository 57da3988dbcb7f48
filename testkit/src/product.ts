import { buildDemo } from '@anteroom/boards-demo';
import { buildApp } from '@anteroom/identity/app';
import { parseConfig } from '@anteroom/identity/config';
import { seedDemoData } from '@anteroom/identity/demo/seed';
import { fingerprint } from '@anteroom/identity/openid/fingerprint';
import { secureRandom } from '@anteroom/identity/lib/random';
import { loadKeys } from '@anteroom/identity/keys/load-keys';
import { openDatabase } from '@anteroom/identity/store/open-database';
import type { LoginFlowCustomizations } from '@anteroom/identity/store/schema';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { placeEmbeddedDatabase } from '../../identity/testing/embedded-template.ts';
import { findFreePort } from '../../tools/start/ports.ts';
import {
  admit,
  connectCompany,
  connectSite,
  removeMember,
  givePhone,
  requireSecondFactor,
  setEntitlement,
} from './company-members.ts';
import { createMovableClock } from './movable-clock.ts';
import type { Company } from './company-members.ts';
import type { MovableClock } from './movable-clock.ts';

type SiteFlags = Partial<
  Record<'allow_password_entry' | 'director_to_dos_enabled' | 'second_factor_required', boolean>
>;

/** The whole product in this process, on free ports, with the demo data in its own database. */
export interface Product {
  /** The sign-in service with the built front end. */
  identity: { url: string };
  /** The demo board portal. */
  demo: { url: string };
  /** The service's time, which journeys can move forward. */
  clock: MovableClock;
  /** The metrics of the service in Prometheus format. */
  metrics: () => Promise<string>;
  /** Connects a site with passwords to the demo company's sign-in, or disconnects it. */
  connectSite: (site: string, connected: boolean) => Promise<void>;
  /** Makes a site sign its users in through another identity provider. */
  connectCompany: (company: Company) => ReturnType<typeof connectCompany>;
  /** Adds a user of the company as a member of a site with passwords, with the demo password. */
  admit: (userName: string, site: string) => Promise<void>;
  /** Makes a member's access to a site active or inactive. */
  setEntitlement: (change: Parameters<typeof setEntitlement>[1]) => Promise<void>;
  /** Registers a client with the metadata; its secret is stored as a fingerprint. */
  registerClient: (
    id: string,
    metadata: Readonly<Record<string, unknown>>,
    customizations?: Partial<LoginFlowCustomizations>,
  ) => Promise<void>;
  changeSite: (site: string, columns: SiteFlags) => Promise<void>;
  /**
   * Makes a site require a second factor. Its users can set up an authenticator app. Returns a function that restores
   * the site and removes the apps.
   */
  requireSecondFactor: (site: string) => Promise<() => Promise<void>>;
  /** Gives a user a phone number; returns a function that removes it. */
  givePhone: (userName: string, phoneNumber: string) => Promise<() => Promise<void>>;
  /** Removes all passkeys. */
  removePasskeys: () => Promise<void>;
  /** Removes a user from a site; returns a function that restores the membership. */
  removeMember: (membership: Parameters<typeof removeMember>[1]) => Promise<() => Promise<void>>;
  close: () => Promise<void>;
}

/** Starts all services and waits until they respond. `env` overrides settings of the service. */
export async function startTestProduct(env: Record<string, string> = {}): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-product-'));
  const [port, demoPort] = [await findFreePort(), await findFreePort()];
  const config = parseConfig({
    NODE_ENV: 'test',
    PORT: String(port),
    DEMO_PORT: String(demoPort),
    DATA_DIR: folder,
    // The journeys of a worker share users, so these sign in more often than real users.
    CODES_PER_TEN_MINUTES: '1000',
    CODES_PER_DAY: '1000',
    // Cheap hashes make journeys faster; the benchmark measures the real cost.
    ARGON2_MEMORY_KIB: '8',
    ARGON2_TIME_COST: '1',
    // A long limit, so that a slow machine does not change a page.
    PAGE_ANSWERS_MS: '10000',
    ...env,
  });
  await placeEmbeddedDatabase(folder);
  const log = pino({ level: 'silent' });
  const clock = createMovableClock();
  const opened = await openDatabase(config.database, log);
  const { server, services } = await buildApp({
    config,
    database: opened.database,
    keys: await loadKeys(config, opened.database, { random: secureRandom, clock }),
    clock,
    random: secureRandom,
    log,
  });
  await seedDemoData(services);
  await server.listen({ port, host: config.host });
  // Prepared before the first sign-in: it takes two seconds of CPU, and on a busy machine the page would time out.
  await services.blocklist.prepare();

  const demoUrl = `http://localhost:${demoPort}`;
  const demo = buildDemo({
    port: demoPort,
    publicUrl: demoUrl,
    issuer: config.publicUrl,
    clientId: 'director',
    // Adds a real company identity provider at `/company`, next to the portal.
    company: true,
  });
  await demo.listen({ port: demoPort, host: 'localhost' });

  return {
    identity: { url: config.publicUrl },
    demo: { url: demoUrl },
    clock,
    metrics: async () => services.metrics.registry.metrics(),
    connectSite: (site, connected) => connectSite(services, site, connected),
    connectCompany: (company) => connectCompany(services, company),
    admit: (userName, site) => admit(services, userName, site),
    setEntitlement: (change) => setEntitlement(services, change),
    registerClient: async (
      id,
      { client_secret: secret, ...metadata },
      customizations: Partial<LoginFlowCustomizations> = {},
    ) => {
      const row = {
        display_name: id,
        customizations: JSON.stringify(customizations),
        metadata: JSON.stringify({
          ...metadata,
          ...(typeof secret === 'string' && { client_secret: fingerprint(secret) }),
        }),
      };
      await opened.database
        .insertInto('clients')
        .values({ id, ...row, created_at: clock.now() })
        .execute();
    },
    requireSecondFactor: (site) => requireSecondFactor(services, site),
    givePhone: (userName, phoneNumber) => givePhone(services, userName, phoneNumber),
    changeSite: async (site, columns) =>
      void (await opened.database.updateTable('sites').set(columns).where('name', '=', site).execute()),
    removePasskeys: async () => void (await opened.database.deleteFrom('passkeys').execute()),
    removeMember: (membership) => removeMember(services, membership),
    close: async () => {
      await Promise.all([demo.close(), server.close()]);
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
