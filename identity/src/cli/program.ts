import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { shellActor } from '../admin/actor.ts';
import type { AdminContext, AdminResources } from '../admin/admin-context.ts';
import { RefusedError } from '../admin/problems.ts';
import { roles } from '../admin/roles.ts';
import { sites } from '../admin/sites.ts';
import { ConfigError } from '../config/config.ts';
import { MissingKeyError } from '../keys/keys-in-use.ts';
import { DirectoryLockError } from '../store/directory-lock.ts';
import { isDatabaseUnavailable } from '../store/unavailable.ts';
import { addAuditCommands } from './audit.ts';
import { addClientCommands } from './clients.ts';
import { addConnectionCommands } from './connections.ts';
import { addKeyCommands } from './keys.ts';
import { addLockoutCommands } from './lockouts.ts';
import { addMembershipCommands } from './memberships.ts';
import { printFindings, printRefusal } from './output.ts';
import { addResourceCommands } from './resource-commands.ts';
import { addSessionCommands } from './sessions.ts';
import { CancelledError } from './terminal.ts';
import { addUserCommands } from './users.ts';
import { UsageError } from './cli-context.ts';
import type { CommonOptions, CliContext } from './cli-context.ts';

const exitCodes = { done: 0, refused: 1, invalidUsage: 2 } as const;

type AddCommands = (parent: Command, cli: CliContext) => void;

const groups: readonly { name: string; summary: string; addCommands: AddCommands }[] = [
  {
    name: 'sites',
    summary: 'the organisations that users sign in to',
    addCommands: (parent, cli) => addResourceCommands(parent, cli, sites),
  },
  { name: 'users', summary: 'the accounts that sign in', addCommands: addUserCommands },
  { name: 'members', summary: 'which users belong to which site', addCommands: addMembershipCommands },
  {
    name: 'roles',
    summary: 'who may manage the service in the console',
    addCommands: (parent, cli) => addResourceCommands(parent, cli, roles),
  },
  { name: 'clients', summary: 'the applications that users sign in to', addCommands: addClientCommands },
  {
    name: 'connections',
    summary: "connections to other organisations' identity providers",
    addCommands: addConnectionCommands,
  },
  {
    name: 'keys',
    summary: 'the keys that sign and encrypt, and their rotation',
    addCommands: addKeyCommands,
  },
  {
    name: 'lockouts',
    summary: 'users and addresses that are refused after failures',
    addCommands: addLockoutCommands,
  },
  { name: 'sessions', summary: 'the sessions of signed-in users', addCommands: addSessionCommands },
  { name: 'audit', summary: 'the audit log: sign-ins and changes', addCommands: addAuditCommands },
];

/** The `CliContext` before the operator is known. */
export type ProgramOptions = Omit<CliContext, 'open'> & { open: () => Promise<AdminResources> };

/** Runs one command and returns the exit code; everything else is printed on the terminal. */
export async function runProgram(commandLine: readonly string[], cli: ProgramOptions): Promise<number> {
  const { terminal } = cli;
  const program = createProgram(cli);
  try {
    await program.parseAsync(commandLine, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.done : exitCodes.invalidUsage;
    if (error instanceof UsageError) {
      terminal.note(`error: ${error.message} (--help shows more)`);
      return exitCodes.invalidUsage;
    }
    // The error can occur before commander has parsed the options.
    printRefusal(cli, toRefusal(error), { json: commandLine.includes('--json') });
    return exitCodes.refused;
  }
}

function createProgram(outer: ProgramOptions): Command {
  const { terminal } = outer;
  const operation = { actor: shellActor(findOperator()), correlationId: `command-${randomUUID()}` };
  const cli: CliContext = { ...outer, open: async () => ({ ...(await outer.open()), operation }) };
  const program = new Command('anteroom')
    .description('Manages the data of the sign-in service, with the same settings as the service.')
    .version(manifest.version, '--version')
    .configureOutput({
      writeOut: (text) => void terminal.print(text.replace(/\n$/, '')),
      writeErr: (text) => terminal.note(text.replace(/\n$/, '')),
    })
    .showHelpAfterError('(--help shows more)')
    .exitOverride()
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 refused (reasons on standard error), 2 invalid usage.\nSettings: the environment variables in docs/operations.md.\n`anteroom verify-service` checks another identity service (docs/adopting.md).',
    );
  for (const { name, summary, addCommands } of groups) {
    const parent = program.command(name).description(summary);
    addCommands(parent, cli);
    for (const command of parent.commands) addCommonOptions(command, operation);
  }
  const check = program
    .command('check')
    .description(
      'check settings, keys, database, TLS, mail, SMS, proxies and connections, without starting the service',
    )
    .action(async (options: CommonOptions) => {
      const { checkInstallation } = await import('../admin/check.ts');
      await printFindings(cli, await checkInstallation(await cli.open()), options);
    });
  addCommonOptions(check, operation);
  return program;
}

function addCommonOptions(command: Command, operation: AdminContext['operation']): void {
  command
    .option('--json', 'print results and reasons as JSON, one object per line')
    .option('--no-input', 'do not prompt, even on a terminal')
    .option('--as <operator>', 'the name for the audit log (default: the user of this machine)')
    .hook('preAction', (_parent, action) => {
      const { as } = action.opts<{ as?: string }>();
      if (as !== undefined && as !== '') Object.assign(operation, { actor: shellActor(as) });
    });
}

/** The operator is not authenticated: anyone who can run the command has the password of the database. */
function findOperator(): string {
  // with sudo the operating system reports root
  const named = process.env['SUDO_USER'];
  if (named !== undefined && named !== '') return named;
  try {
    return userInfo().username;
  } catch {
    // a container may run as a user without a name
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** @throws the error itself if it is a bug */
function toRefusal(error: unknown): RefusedError {
  if (error instanceof RefusedError) return error;
  if (error instanceof ConfigError) return new RefusedError(error.problems.map((reason) => ({ reason })));
  if ([CancelledError, DirectoryLockError, MissingKeyError].some((kind) => error instanceof kind))
    return new RefusedError(messageOf(error));
  // migrations wrap the error of the database
  const found = [error, error instanceof Error ? error.cause : undefined].find(isDatabaseUnavailable);
  if (found === undefined) throw error;
  const reason = `The database did not answer: ${messageOf(found)}. If this command changes data, it is unknown whether the change was written: check with \`list\` or \`show\` before you repeat it.`;
  return new RefusedError(reason);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
