import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { parseConfig } from '../config.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import { systemClock } from '../lib/clock.ts';
import type { Keys } from '../lib/keys.ts';
import { createLog } from '../lib/log.ts';
import { secureRandom } from '../lib/random.ts';
import { createBrowserCookies } from '../http/browser-cookies.ts';
import { loadKeysForCommand } from '../keys/load-keys.ts';
import { createOpenid } from '../openid/openid.ts';
import { createServices } from '../services.ts';
import type { Services } from '../services.ts';
import { DirectoryLockError } from '../store/directory-lock.ts';
import { openDatabase } from '../store/open-database.ts';
import type { Database } from '../store/schema.ts';
import { RefusedError } from './problems.ts';

/** What a command works with: the service's own settings, database and features. */
export type Workbench = {
  config: Config;
  database: Database;
  clock: Clock;
  log: Services['log'];
  /** Made when a command first needs them: a list does without. Not to be asked for inside a transaction. */
  services: () => Promise<Services>;
  /** Tells applications what is due to be told of sessions that have ended; what they do not take, the service tells them. */
  tellApplications: () => Promise<void>;
  close: () => Promise<void>;
};

/** A command writes in one transaction, and has a second connection for what it reads beside it. */
const connections = 2;

/**
 * Opens what the service would work on with the same environment. Relative paths in settings start at the checkout, as with
 * `npm start`, whatever folder somebody stands in.
 * @param note says to the operator what they may not have meant
 * @param mayCreate whether an embedded database that is not there is made; a command that only reads would find nothing in it
 */
export async function openWorkbench(
  variables: Readonly<Record<string, string | undefined>>,
  note: (line: string) => void,
  { mayCreate = true }: { mayCreate?: boolean } = {},
): Promise<Workbench> {
  const checkout = join(import.meta.dirname, '../../..');
  const config = parseConfig(variables, checkout, { isComplete: false });
  const log = createLog('error', pino.destination({ fd: 2, sync: true }));
  const isNew =
    config.database.kind === 'embedded' && !existsSync(join(config.database.directory, 'database'));
  if (config.database.kind === 'embedded' && isNew && !mayCreate) {
    const reason = `There is no database in ${config.database.directory}, and this command only reads. Set DATABASE_URL (or DATA_DIR) as for the service.`;
    throw new RefusedError([{ reason }]);
  }
  const { database, close } = await openDatabase(withFewConnections(config.database), log).catch(
    (error: unknown) => {
      throw error instanceof DirectoryLockError && error.isHeld ? inUse(config.database) : error;
    },
  );
  if (config.database.kind === 'embedded' && isNew)
    note(`There was no database in ${config.database.directory}: a new one was made.`);
  const given = { config, database, clock: systemClock, log, close };
  return createWorkbench(given, async () => {
    const complete = parseConfig(variables, checkout);
    return await loadKeysForCommand(complete, database, { random: secureRandom });
  });
}

/** The same over a database that is open already. */
export function createWorkbench(
  given: Omit<Workbench, 'services' | 'tellApplications'>,
  loadKeys: () => Promise<Keys>,
): Workbench {
  let services: Promise<Services> | undefined;
  const findServices = (): Promise<Services> =>
    (services ??= loadKeys().then((keys) => createServices({ ...given, keys, random: secureRandom })));
  return {
    ...given,
    services: findServices,
    async tellApplications() {
      const cookies = createBrowserCookies(given.config.publicUrl);
      const openid = createOpenid(await findServices(), {
        name: cookies.providerName,
        secure: cookies.secure,
      });
      openid.tellApplications();
      await openid.settle();
    },
    async close() {
      // mail that is on its way
      await (await services)?.settleMessages();
      await (await services)?.audit.close();
      await given.close();
    },
  };
}

function withFewConnections(settings: Config['database']): Config['database'] {
  return settings.kind === 'server' ? { ...settings, poolSize: connections } : settings;
}

function inUse(settings: Config['database']): RefusedError {
  const where = settings.kind === 'embedded' ? settings.directory : '';
  return new RefusedError([
    {
      reason: `The embedded database in ${where} is in use, most likely by the service: one process at a time can have it. Stop the service and run this again, or let both work on a PostgreSQL server (DATABASE_URL).`,
    },
  ]);
}
