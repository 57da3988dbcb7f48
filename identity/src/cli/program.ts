import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { checkInstallation } from '../admin/check.ts';
import type { AdminContext, AdminResources } from '../admin/context.ts';
import { RefusedError } from '../admin/problems.ts';
import { sites } from '../admin/sites.ts';
import { ConfigError } from '../config.ts';
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
import { CancelledError, UsageError } from './usage-errors.ts';
import { addUserCommands } from './users.ts';
import type { CommonOptions, World } from './world.ts';

const exitCodes = { done: 0, refused: 1, notUnderstood: 2 } as const;

type AddCommands = (parent: Command, world: World) => void;

const groups: readonly { name: string; alias?: string; summary: string; addCommands: AddCommands }[] = [
  {
    name: 'sites',
    summary: 'the organisations that users sign in at',
    addCommands: (parent, world) => addResourceCommands(parent, world, sites),
  },
  { name: 'users', alias: 'people', summary: 'the accounts that sign in', addCommands: addUserCommands },
  { name: 'members', summary: 'which users belong to which site', addCommands: addMembershipCommands },
  { name: 'clients', summary: 'the applications that users sign in at', addCommands: addClientCommands },
  {
    name: 'connections',
    summary: "ways to sign in at other organisations' identity providers",
    addCommands: addConnectionCommands,
  },
  {
    name: 'keys',
    summary: 'the keys that sign and encrypt, and their rotation',
    addCommands: addKeyCommands,
  },
  { name: 'lockouts', summary: 'who is refused after failures', addCommands: addLockoutCommands },
  { name: 'sessions', summary: 'who is signed in now', addCommands: addSessionCommands },
  { name: 'audit', summary: 'the audit log: sign-ins and changes', addCommands: addAuditCommands },
];

/** A world whose operator is not known yet. */
export type OuterWorld = Omit<World, 'open'> & { open: () => Promise<AdminResources> };

/** Runs one command and returns the exit code; everything else is printed on the terminal. */
export async function runProgram(commandLine: readonly string[], world: OuterWorld): Promise<number> {
  const { terminal } = world;
  const program = createProgram(world);
  try {
    await program.parseAsync(commandLine, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.done : exitCodes.notUnderstood;
    if (error instanceof UsageError) {
      terminal.note(`error: ${error.message} (--help shows more)`);
      return exitCodes.notUnderstood;
    }
    // options are not parsed where no command was found
    printRefusal(world, toRefusal(error), { json: commandLine.includes('--json') });
    return exitCodes.refused;
  }
}

function createProgram(outer: OuterWorld): Command {
  const { terminal } = outer;
  const operation = { operator: findOperator(), correlationId: `command-${randomUUID()}` };
  const world: World = { ...outer, open: async () => ({ ...(await outer.open()), operation }) };
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
      '\nExit codes: 0 done, 1 refused (the reasons are on standard error), 2 not understood.\nSettings: the environment variables of docs/operations.md.\n`anteroom verify-service` checks another identity service (docs/adopting.md).',
    );
  for (const { name, alias, summary, addCommands } of groups) {
    const parent = program.command(name).description(summary);
    if (alias !== undefined) parent.alias(alias);
    addCommands(parent, world);
    for (const command of parent.commands) addCommonOptions(command, operation);
  }
  const check = program
    .command('check')
    .description(
      'check settings, keys, database, TLS, mail, SMS, proxies and connections, without starting the service',
    )
    .action(async (options: CommonOptions) =>
      printFindings(world, await checkInstallation(await world.open()), options),
    );
  addCommonOptions(check, operation);
  return program;
}

function addCommonOptions(command: Command, operation: AdminContext['operation']): void {
  command
    .option('--json', 'results as JSON, an object a line; reasons too')
    .option('--no-input', 'ask nothing, even on a terminal')
    .option('--as <operator>', 'the name for the audit log (default: the user of this machine)')
    .hook('preAction', (_parent, action) => {
      const { as } = action.opts<{ as?: string }>();
      // the whole command shares the operation
      if (as !== undefined && as !== '') Object.assign(operation, { operator: as });
    });
}

/** The operator is not authenticated: whoever runs a command on this machine has the database's password. */
function findOperator(): string {
  // with sudo the operating system reports root
  const named = process.env['SUDO_USER'];
  if (named !== undefined && named !== '') return named;
  try {
    return userInfo().username;
  } catch {
    // the user of a container may have no name
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** @throws any other error: a fault of the program */
function toRefusal(error: unknown): RefusedError {
  if (error instanceof RefusedError) return error;
  if (error instanceof ConfigError) return new RefusedError(error.problems.map((reason) => ({ reason })));
  if ([CancelledError, DirectoryLockError, MissingKeyError].some((kind) => error instanceof kind))
    return new RefusedError(messageOf(error));
  // migrations report the database's error as their cause
  const found = [error, error instanceof Error ? error.cause : undefined].find(isDatabaseUnavailable);
  if (found === undefined) throw error;
  const reason = `The database did not answer: ${messageOf(found)}. If the command was writing, whether it changed anything is unknown: list what it should have changed before you repeat it.`;
  return new RefusedError(reason);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
