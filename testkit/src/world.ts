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

/** The whole product in this process, on free ports of this machine, with the demo data in a database of its own. */
export interface World {
  /** The sign-in service with the built front end. */
  identity: { url: string };
  /** The demo board portal. */
  demo: { url: string };
  /** The service's time: it runs, and a journey moves it on. */
  clock: MovableClock;
  /** What the service has counted, as Prometheus reads it. */
  metrics: () => Promise<string>;
  /** A site that has passwords lets people in over the company beside the portal too, or does not any more. */
  connectSite: (site: string, connected: boolean) => Promise<void>;
  /** A site's people sign in over another identity provider instead. */
  connectCompany: (company: Company) => ReturnType<typeof connectCompany>;
  /** Somebody who signs in over the company becomes a member of a site with passwords, and has the demo password there. */
  admit: (userName: string, site: string) => Promise<void>;
  /** Makes a member's access to a site active or inactive. */
  setEntitlement: (change: Parameters<typeof setEntitlement>[1]) => Promise<void>;
  /** Registers a client with the metadata; a secret is kept as its fingerprint. */
  registerClient: (
    id: string,
    metadata: Readonly<Record<string, unknown>>,
    customizations?: Partial<LoginFlowCustomizations>,
  ) => Promise<void>;
  /** Changes columns of a site. */
  changeSite: (site: string, columns: SiteFlags) => Promise<void>;
  /** A site asks its users for a second factor, which they may set up; returns how to put things back, without the authenticator apps that were set up. */
  requireSecondFactor: (site: string) => Promise<() => Promise<void>>;
  /** A user has a phone number; returns how to take it away again. */
  givePhone: (userName: string, phoneNumber: string) => Promise<() => Promise<void>>;
  /** No user has a passkey any more. */
  removePasskeys: () => Promise<void>;
  /** A user is no member of a site any more; returns how to restore the membership. */
  removeMember: (membership: Parameters<typeof removeMember>[1]) => Promise<() => Promise<void>>;
  close: () => Promise<void>;
}

/** Starts everything and resolves when it answers. `env` changes settings of the service by the names it gives them. */
export async function startWorld(env: Record<string, string> = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-world-'));
  const [port, demoPort] = [await findFreePort(), await findFreePort()];
  const config = parseConfig({
    NODE_ENV: 'test',
    PORT: String(port),
    DEMO_PORT: String(demoPort),
    DATA_DIR: folder,
    // the journeys of a worker share its users, and sign in more often than a user would
    CODES_PER_TEN_MINUTES: '1000',
    CODES_PER_DAY: '1000',
    // A slow machine changes no page.
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
  // Two seconds of a core: a busy machine would need longer for it than a page waits for a sign-in.
  await services.blocklist.prepare();

  const demoUrl = `http://localhost:${demoPort}`;
  const demo = buildDemo({
    port: demoPort,
    publicUrl: demoUrl,
    issuer: config.publicUrl,
    clientId: 'director',
    // a real enterprise provider, at `/company` beside the portal
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
