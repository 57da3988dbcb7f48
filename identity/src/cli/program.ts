import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { ConfigError } from '../config.ts';
import { MissingKeyError } from '../keys/keys-in-use.ts';
import { DirectoryLockError } from '../store/directory-lock.ts';
import { isDatabaseUnavailable } from '../store/unavailable.ts';
import { addAuditCommands } from './audit/commands.ts';
import { clients } from './clients/clients.ts';
import { addClientCommands } from './clients/commands.ts';
import { addConnectionCommands } from './connections/commands.ts';
import { connections } from './connections/connections.ts';
import { addKeyCommands } from './keys/commands.ts';
import { addMemberCommands } from './members/commands.ts';
import { members } from './members/members.ts';
import { setOperator } from './operator-notes.ts';
import { addPeopleCommands } from './people/commands.ts';
import { people } from './people/people.ts';
import { CancelledError, RefusedError, UsageError } from './problems.ts';
import { reportRefusal } from './report.ts';
import { addSessionCommands } from './sessions/commands.ts';
import { addSiteCommands } from './sites/commands.ts';
import { sites } from './sites/sites.ts';
import type { CommonOptions, World } from './world.ts';

export const exitCodes = { done: 0, refused: 1, notUnderstood: 2 } as const;

/** A folder each: what is managed, and its commands. */
const nouns = [
  { ...describe(sites), addCommands: addSiteCommands },
  { ...describe(people), addCommands: addPeopleCommands },
  { ...describe(members), addCommands: addMemberCommands },
  { ...describe(clients), addCommands: addClientCommands },
  { ...describe(connections), addCommands: addConnectionCommands },
  {
    name: 'keys',
    summary: 'what is signed and sealed with, and how it is replaced',
    addCommands: addKeyCommands,
  },
  { name: 'sessions', summary: 'who is signed in now', addCommands: addSessionCommands },
  {
    name: 'audit',
    summary: 'what happened: every sign-in and what belongs to it',
    addCommands: addAuditCommands,
  },
];

function describe({ name, summary }: { name: string; summary: string }): { name: string; summary: string } {
  return { name, summary };
}

/** Carries out one command; answers the exit code, everything else has been said on the terminal. */
export async function runProgram(commandLine: readonly string[], world: World): Promise<number> {
  const { terminal } = world;
  const program = createProgram(world);
  try {
    await program.parseAsync(commandLine, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.done : exitCodes.notUnderstood;
    if (error instanceof UsageError) {
      terminal.note(`error: ${error.message} (--help says more)`);
      return exitCodes.notUnderstood;
    }
    // what the command was told about JSON is not known here, where a command may not have been found
    const options: CommonOptions = { json: commandLine.includes('--json') };
    reportRefusal(terminal, toRefusal(error), options);
    return exitCodes.refused;
  }
}

function createProgram(world: World): Command {
  const { terminal } = world;
  const written: Promise<void>[] = [];
  const program = new Command('anteroom')
    .description('Manages what the sign-in service knows, with the same settings as the service.')
    .version(manifest.version)
    .configureOutput({
      writeOut: (text) => void written.push(terminal.print(text.replace(/\n$/, ''))),
      writeErr: (text) => terminal.note(text.replace(/\n$/, '')),
    })
    .showHelpAfterError('(--help says more)')
    .exitOverride()
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 refused (the reasons are on standard error), 2 not understood.\nAn id that begins with a hyphen stands behind --.\nSettings: the environment variables of docs/operations.md.',
    );
  for (const { name, summary, addCommands } of nouns) {
    const parent = program.command(name).description(summary);
    addCommands(parent, world);
    for (const command of parent.commands) {
      command
        .option('--json', 'results as JSON, an object a line; reasons too')
        .option('--no-input', 'ask nothing, on a terminal neither')
        .option('--as <operator>', 'the name for the audit log (default: the user of this machine)')
        .hook('preAction', (_parent, action) => setOperator(action.opts<{ as?: string }>().as));
    }
  }
  return program;
}

/** @throws what is nobody's fault but ours */
function toRefusal(error: unknown): RefusedError {
  if (error instanceof RefusedError) return error;
  if (
    [CancelledError, ConfigError, DirectoryLockError, MissingKeyError].some((kind) => error instanceof kind)
  )
    return new RefusedError(
      messageOf(error)
        .split('\n')
        .map((reason) => ({ reason })),
    );
  // the migrations tell theirs as a cause
  const found = [error, error instanceof Error ? error.cause : undefined].find(isDatabaseUnavailable);
  if (found === undefined) throw error;
  const reason = `The database did not answer: ${messageOf(found)}. If the command was writing, list what it should have changed before you repeat it.`;
  return new RefusedError([{ reason }]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
