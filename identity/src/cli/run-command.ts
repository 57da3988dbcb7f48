import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { AdminResources } from '../admin/admin-context.ts';
import { createAdminResources } from '../admin/admin-context.ts';
import { RefusedError } from '../admin/problems.ts';
import { parseConfig } from '../config/config.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import { secureRandom } from '../lib/random.ts';
import { loadKeysForCommand } from '../keys/load-keys.ts';
import { explainStartProblem } from '../process/start-problems.ts';
import { DirectoryLockError } from '../store/directory-lock.ts';
import { openDatabase } from '../store/open-database.ts';
import { runProgram } from './program.ts';
import { createTerminal } from './terminal.ts';

/** A command needs one connection for its transaction and one for concurrent reads. */
const connections = 2;
/** The timeout is longer than that of the service, because no visitor waits for a command. */
const commandStatementSeconds = 60;

/**
 * Opens the database that the service uses with the same environment. Relative paths in settings are resolved from the
 * checkout, as with `npm start`, not from the current folder.
 * @param note prints a warning for the operator
 * @param mayCreate whether a missing embedded database is created; false for read-only commands
 */
async function openResources(
  variables: Readonly<Record<string, string | undefined>>,
  note: (line: string) => void,
  { mayCreate = true }: { mayCreate?: boolean } = {},
): Promise<AdminResources> {
  const checkout = fileURLToPath(new URL('../../../', import.meta.url));
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
      if (error instanceof DirectoryLockError && error.isHeld) throw inUse(config.database);
      const reason = explainStartProblem(error, config);
      throw reason === undefined ? error : new RefusedError(reason);
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

// Runs one command.

// The parent process has died, perhaps by kill -9. Exiting rolls back the transaction.
process.on('disconnect', () => process.exit(1));
process.channel?.unref();

// A reader such as `head` has closed the pipe, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

// A pseudo-terminal may report no size. Prompts would then be drawn with one character per line.
if (process.stderr.columns === 0) Object.assign(process.stderr, { columns: 80, rows: 24 });

const readingCommands = ['list', 'show', 'test', 'guide', 'labels', 'export'];
const isReading = process.argv[2] === 'check' || readingCommands.includes(process.argv[3] ?? '');
let resources: Promise<AdminResources> | undefined;
const terminal = createTerminal({ input: process.stdin, output: process.stdout, errors: process.stderr });
try {
  process.exitCode = await runProgram(process.argv.slice(2), {
    terminal,
    open: () => (resources ??= openResources(process.env, terminal.note, { mayCreate: !isReading })),
    startedIn: process.env['INIT_CWD'] ?? process.cwd(),
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await resources?.then(({ close }) => close()).catch(() => undefined);
  process.stdin.destroy();
}
