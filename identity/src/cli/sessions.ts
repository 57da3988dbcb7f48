import type { Command } from 'commander';
import { endEverything, endSelectedSessions, listSessions, sessionFields } from '../admin/sessions.ts';
import type { SessionSelection } from '../admin/sessions.ts';
import { printList, printResult } from './output.ts';
import type { ListOptions } from './output.ts';
import { UsageError } from './cli-context.ts';
import type { CommonOptions, CliContext } from './cli-context.ts';

type SelectOptions = { user?: string; site?: string };

export function addSessionCommands(parent: Command, cli: CliContext): void {
  withSelection(parent.command('list').description('list valid sessions'))
    .option('--csv', 'print CSV')
    .action(async ({ user, site, ...options }: ListOptions & SelectOptions) => {
      const found = await listSessions(await cli.open(), {
        user: user === undefined ? undefined : { name: user },
        site,
      });
      await printList(cli, found, options, { fields: sessionFields });
    });
  withSelection(
    parent
      .command('end')
      .description('end sessions at once, on every node; applications with a back channel are notified')
      .argument('[session]', 'the id of one session, as `list` shows it, or its first characters'),
  )
    .option('--dry-run', 'show how many sessions would be ended, without ending them')
    // an id may begin with a hyphen
    .allowUnknownOption()
    .action(
      async (session: string | undefined, options: CommonOptions & SelectOptions & { dryRun?: boolean }) => {
        const { dryRun = false } = options;
        const selection = toSelection(session, options);
        const { length: count } = await endSelectedSessions(await cli.open(), selection, { dryRun });
        const done = dryRun ? 'would be ended (dry run: nothing was written)' : 'ended';
        const sentence = `${count} ${count === 1 ? 'session' : 'sessions'} ${done}`;
        await printResult(cli, sentence, { ended: count, dryRun }, options);
      },
    );
  parent
    .command('end-everything')
    .description(
      'end every session and delete every token, code and link; run this after restoring a backup, in which used ones are valid again',
    )
    .action(async (options: CommonOptions) => {
      const ended = await endEverything(await cli.open());
      await printResult(cli, `everything ended, including ${ended} sessions`, { ended }, options);
    });
}

function withSelection(command: Command): Command {
  return command
    .option('--user <userName>', 'sessions of this user (user name or e-mail)')
    .option('--site <site>', 'sessions at this site');
}

/** @throws UsageError unless exactly one of the three is given */
function toSelection(session: string | undefined, { user, site }: SelectOptions): SessionSelection {
  const given: SessionSelection[] = [
    ...(session === undefined ? [] : [{ session }]),
    ...(user === undefined ? [] : [{ user: { name: user } }]),
    ...(site === undefined ? [] : [{ site }]),
  ];
  const [selection] = given;
  if (selection === undefined || given.length !== 1)
    throw new UsageError('exactly one of <session>, --user and --site is required');
  return selection;
}
