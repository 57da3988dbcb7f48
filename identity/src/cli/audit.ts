import { setTimeout as wait } from 'node:timers/promises';
import { Option } from 'commander';
import type { Command } from 'commander';
import {
  eventFields,
  findLatestEvents,
  followEvents,
  listEvents,
  requireAuditedUser,
  requireEvent,
} from '../admin/audit.ts';
import type { EventFilters } from '../admin/audit.ts';
import type { AdminContext } from '../admin/context.ts';
import { auditEvents } from '../audit/audit.ts';
import type { AuditEventName } from '../audit/audit.ts';
import { siteNameKey } from '../sites/sites-store.ts';
import { printList } from './output.ts';
import { parseMoment } from './parse-moment.ts';
import { UsageError } from './usage-errors.ts';
import { parseLimit } from './world.ts';
import type { CommonOptions, World } from './world.ts';

type FilterOptions = CommonOptions & {
  person?: string;
  user?: string;
  site?: string;
  event?: AuditEventName[];
  result?: 'success' | 'failure';
  since?: string;
  until?: string;
  correlation?: string;
  after?: string;
  csv?: boolean;
};
type ListOptions = FilterOptions & { limit?: string; follow?: boolean };

const shownWithoutLimit = 50;
const followEveryMs = 1_000;

export function addAuditCommands(parent: Command, world: World): void {
  withFilters(parent.command('list').description('the latest events, or those that the filters select'))
    .option(
      '--limit <count>',
      'maximum number of events (default: the latest 50, or all since --since or --after)',
    )
    .option('--follow', 'continue with new events until you stop it')
    .action(async (options: ListOptions) => list(world, options));
  withFilters(
    parent
      .command('export')
      .description('all events that the filters select, as JSON lines or CSV, the oldest first'),
  ).action(async (options: FilterOptions) => {
    const context = await world.open();
    const events = listEvents(context.database, await readFilters(context, options), Infinity);
    await printList(
      world,
      events,
      { json: options.csv !== true, csv: options.csv === true },
      { fields: eventFields },
    );
  });
}

function withFilters(command: Command): Command {
  return command
    .option('--user <userName>', 'of this user; a deleted one by the id in the log')
    .option('--person <userName>', 'the same')
    .option('--site <site>', 'at this site')
    .addOption(new Option('--event <names...>', 'of these kinds').choices(Object.keys(auditEvents)))
    .addOption(new Option('--result <result>', 'with this result').choices(['success', 'failure']))
    .option('--since <time>', 'from this time on: 2026-03-02, 2026-03-02T10:00Z, or 90m, 24h, 7d ago')
    .option('--until <time>', 'before this time')
    .option('--correlation <id>', 'of this request, or of this command')
    .option('--after <number>', 'events after this one, for the next page')
    .addOption(new Option('--csv', 'as CSV, for spreadsheets').conflicts('json'));
}

async function list(world: World, options: ListOptions): Promise<void> {
  const context = await world.open();
  const { database } = context;
  const hasStart = options.after !== undefined || options.since !== undefined;
  const limit = parseLimit(options.limit) ?? (hasStart ? Infinity : shownWithoutLimit);
  const filters = await readFilters(context, options);
  const events = hasStart
    ? listEvents(database, filters, limit)
    : await findLatestEvents(database, filters, limit);
  await printList(world, events, options, { fields: eventFields });
  if (options.follow !== true) return;
  const pause = async (): Promise<boolean> => {
    await wait(followEveryMs);
    return true;
  };
  const { since: _since, until: _until, after: _after, ...lasting } = filters;
  for await (const event of followEvents(database, lasting, pause))
    await printList(world, [event], options, { fields: eventFields, heading: false });
}

async function readFilters(
  { database, clock }: AdminContext,
  { person, user = person, after, ...options }: FilterOptions,
): Promise<EventFilters> {
  if (after !== undefined && !/^\d{1,18}$/.test(after))
    throw new UsageError('--after must be the number of an event');
  const now = clock.now();
  return {
    since: parseMoment('--since', options.since, now),
    until: parseMoment('--until', options.until, now),
    personId: user === undefined ? undefined : await requireAuditedUser(database, user),
    site: options.site === undefined ? undefined : siteNameKey(options.site),
    events: options.event,
    result: options.result,
    correlationId: options.correlation,
    after: after === undefined ? undefined : await requireEvent(database, after),
  };
}
