import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { createAdminResources } from '../admin/context.ts';
import type { AdminResources } from '../admin/context.ts';
import { RefusedError } from '../admin/problems.ts';
import { parseConfig } from '../config.ts';
import type { Config } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import { secureRandom } from '../lib/random.ts';
import { loadKeysForCommand } from '../keys/load-keys.ts';
import { DirectoryLockError } from '../store/directory-lock.ts';
import { openDatabase } from '../store/open-database.ts';

/** One connection for the transaction, one for concurrent reads. */
const connections = 2;
/** Longer than the limit of the service, because no visitor waits for a command. */
const commandStatementSeconds = 60;

/**
 * Opens the database that the service uses with the same environment. Relative paths in settings are resolved from the
 * checkout, as with `npm start`, not from the current folder.
 * @param note prints a warning for the operator
 * @param mayCreate whether a missing embedded database is created; false for read-only commands
 */
export async function openResources(
  variables: Readonly<Record<string, string | undefined>>,
  note: (line: string) => void,
  { mayCreate = true }: { mayCreate?: boolean } = {},
): Promise<AdminResources> {
  const checkout = join(import.meta.dirname, '../../..');
  const config = parseConfig(variables, checkout, { isComplete: false });
  const log = createLog('error', pino.destination({ fd: 2, sync: true }));
  const isNew =
    config.database.kind === 'embedded' && !existsSync(join(config.database.directory, 'database'));
  if (config.database.kind === 'embedded' && isNew && !mayCreate)
    throw new RefusedError(
      `There is no database in ${config.database.directory}, and this command is read-only. Set DATABASE_URL or DATA_DIR to the value that the service uses.`,
    );
  const { database, close } = await openDatabase(toCommandSettings(config.database), log).catch(
    (error: unknown) => {
      throw error instanceof DirectoryLockError && error.isHeld ? inUse(config.database) : error;
    },
  );
  if (config.database.kind === 'embedded' && isNew)
    note(`There was no database in ${config.database.directory}: a new one was created.`);
  const given = { config, database, clock: systemClock, log, close };
  return createAdminResources(given, async () => {
    const complete = parseConfig(variables, checkout);
    return await loadKeysForCommand(complete, database, { random: secureRandom });
  });
}

function toCommandSettings(settings: Config['database']): Config['database'] {
  return settings.kind === 'server'
    ? { ...settings, poolSize: connections, statementTimeoutSeconds: commandStatementSeconds }
    : settings;
}

function inUse(settings: Config['database']): RefusedError {
  const where = settings.kind === 'embedded' ? settings.directory : '';
  return new RefusedError(
    `The embedded database in ${where} is in use, probably by the service: only one process can open it. Stop the service and run this command again, or use a PostgreSQL server for both (DATABASE_URL).`,
  );
}
