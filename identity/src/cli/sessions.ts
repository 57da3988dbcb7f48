import type { Command } from 'commander';
import { endEverything, endSelectedSessions, listSessions, sessionFields } from '../admin/sessions.ts';
import type { SessionSelection } from '../admin/sessions.ts';
import { printList, printResult } from './output.ts';
import type { ListOptions } from './output.ts';
import { UsageError } from './usage-errors.ts';
import type { CommonOptions, World } from './world.ts';

type SelectOptions = { person?: string; user?: string; site?: string };

export function addSessionCommands(parent: Command, world: World): void {
  withSelection(parent.command('list').description('valid sessions: all, of one user, or at one site'))
    .option('--csv', 'as CSV')
    .action(async ({ person, user = person, site, ...options }: ListOptions & SelectOptions) => {
      const found = await listSessions(await world.open(), { user, site });
      await printList(world, found, options, { fields: sessionFields });
    });
  withSelection(
    parent
      .command('end')
      .description('end sessions at once, on every node; applications with a back channel are notified')
      .argument('[session]', 'one session, by the id that `list` shows or the beginning of it'),
  )
    .option('--dry-run', 'show how many would be ended, and end none')
    // an id may begin with a hyphen
    .allowUnknownOption()
    .action(
      async (session: string | undefined, options: CommonOptions & SelectOptions & { dryRun?: boolean }) => {
        const { dryRun = false } = options;
        const selection = toSelection(session, options);
        const { length: count } = await endSelectedSessions(await world.open(), selection, { dryRun });
        const done = dryRun ? 'would be ended (a dry run: none was)' : 'ended';
        const sentence = `${count} ${count === 1 ? 'session' : 'sessions'} ${done}`;
        await printResult(world, sentence, { ended: count, dryRun }, options);
      },
    );
  parent
    .command('end-everything')
    .description(
      'after a backup was restored: end every session and delete every token, code and link, because what was used since works again',
    )
    .action(async (options: CommonOptions) => {
      const ended = await endEverything(await world.open());
      await printResult(world, `everything has ended, ${ended} sessions among it`, { ended }, options);
    });
}

function withSelection(command: Command): Command {
  return command
    .option('--user <userName>', 'of this user (user name or e-mail)')
    .option('--person <userName>', 'the same')
    .option('--site <site>', 'at this site');
}

/** @throws UsageError unless exactly one of the three is given */
function toSelection(
  session: string | undefined,
  { person, user = person, site }: SelectOptions,
): SessionSelection {
  const given: SessionSelection[] = [
    ...(session === undefined ? [] : [{ session }]),
    ...(user === undefined ? [] : [{ user }]),
    ...(site === undefined ? [] : [{ site }]),
  ];
  const [selection] = given;
  if (selection === undefined || given.length !== 1)
    throw new UsageError('one of <session>, --user and --site is needed');
  return selection;
}
