import { buildDemo } from '@anteroom/boards-demo';
import { buildApp } from '@anteroom/identity/app';
import { parseConfig } from '@anteroom/identity/config';
import { seedDemoData } from '@anteroom/identity/demo/seed';
import { fingerprint } from '@anteroom/identity/provider/fingerprint';
import { secureRandom } from '@anteroom/identity/lib/random';
import { loadKeys } from '@anteroom/identity/keys/load-keys';
import { openDatabase } from '@anteroom/identity/store/open-database';
import type { LoginFlowCustomizations } from '@anteroom/identity/store/schema';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { placeEmbeddedDatabase } from '../../identity/testing/embedded-template.ts';
import { keepRows } from '../../identity/testing/keep-rows.ts';
import { findFreePort } from '../../tools/start/ports.ts';
import { admit, connectCompany, connectSite, removeMember, setEntitlement } from './company-members.ts';
import { createMovableClock } from './movable-clock.ts';
import type { Company } from './company-members.ts';
import type { MovableClock } from './movable-clock.ts';

type SiteFlags = Partial<
  Record<
    | 'allow_password_entry'
    | 'authenticator_apps'
    | 'director_to_dos_enabled'
    | 'remember_accounts'
    | 'second_factor_required',
    boolean
  >
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
  /** Connects a site with passwords to the demo company's sign-in. */
  connectSite: (site: string) => Promise<void>;
  /** Makes a site sign its users in through another identity provider. */
  connectCompany: (company: Company) => Promise<string>;
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
   * Makes a site require a second factor, or stops it. Its users can set up an authenticator app while it is required.
   */
  requireSecondFactor: (site: string, isRequired?: boolean) => Promise<void>;
  /** Gives a user a phone number, or removes it. */
  givePhone: (userName: string, phoneNumber: string | null) => Promise<void>;
  /** Removes all passkeys. */
  removePasskeys: () => Promise<void>;
  /** Removes a user from a site. */
  removeMember: (membership: Parameters<typeof removeMember>[1]) => Promise<void>;
  /** Returns to the demo data alone and to the real time. */
  reset: () => Promise<void>;
  close: () => Promise<void>;
}

/** Starts all services and waits until they respond. `env` overrides settings of the service. */
export async function startTestProduct(env: Record<string, string> = {}): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-product-'));
  const ports = { PORT: String(await findFreePort()), DEMO_PORT: String(await findFreePort()), ...env };
  const config = parseConfig({
    NODE_ENV: 'test',
    DATA_DIR: folder,
    // Cheap hashes make journeys faster; the benchmark measures the real cost.
    ARGON2_MEMORY_KIB: '8',
    ARGON2_TIME_COST: '1',
    PASSKEY_RP_ID: 'localhost',
    ...ports,
  });
  // A long limit, so that a slow machine does not change a page.
  config.pageAnswersMs = 10_000;
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
  // Journeys sign in several times with one browser; the one about remembered accounts lets the sites remember them.
  await opened.database.updateTable('sites').set({ remember_accounts: false }).execute();
  const restoreRows = await keepRows(opened.database);
  await server.listen({ port: config.port, host: config.host });

  const demoPort = Number(ports.DEMO_PORT);
  const demo = buildDemo({
    port: demoPort,
    publicUrl: config.demoUrl,
    issuer: config.publicUrl,
    clientId: 'director',
    // Adds a real company identity provider at `/company`, next to the portal.
    company: true,
  });
  await demo.listen({ port: demoPort, host: 'localhost' });

  const changeSite = async (site: string, columns: SiteFlags): Promise<void> =>
    void (await opened.database.updateTable('sites').set(columns).where('name', '=', site).execute());

  return {
    identity: { url: config.publicUrl },
    demo: { url: config.demoUrl },
    clock,
    metrics: async () => services.metrics.registry.metrics(),
    connectSite: (site) => connectSite(services, site),
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
    requireSecondFactor: async (site, isRequired = true) =>
      changeSite(site, { second_factor_required: isRequired, authenticator_apps: isRequired }),
    givePhone: async (userName, phoneNumber) =>
      void (await opened.database
        .updateTable('users')
        .set({ phone_number: phoneNumber })
        .where('user_name', '=', userName)
        .execute()),
    changeSite,
    removePasskeys: async () => void (await opened.database.deleteFrom('passkeys').execute()),
    removeMember: (membership) => removeMember(services, membership),
    reset: async () => {
      clock.reset();
      await restoreRows();
    },
    close: async () => {
      await Promise.all([demo.close(), server.close()]);
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
