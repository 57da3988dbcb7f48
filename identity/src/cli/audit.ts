import { setTimeout as wait } from 'node:timers/promises';
import { Option } from 'commander';
import type { Command } from 'commander';
import {
  eventFields,
  findLatestEvents,
  followEvents,
  listEvents,
  parseMoment,
  requireAuditedUser,
  requireEvent,
} from '../admin/audit.ts';
import type { EventFilters } from '../admin/audit.ts';
import type { AdminContext } from '../admin/admin-context.ts';
import { auditEvents } from '../audit/audit.ts';
import type { AuditEventName } from '../audit/audit.ts';
import { siteNameKeys } from '../lib/names.ts';
import { printList } from './output.ts';
import { UsageError, parseLimit } from './cli-context.ts';
import type { CommonOptions, CliContext } from './cli-context.ts';

type FilterOptions = CommonOptions & {
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

const defaultLimit = 50;
const followIntervalMs = 1_000;

export function addAuditCommands(parent: Command, cli: CliContext): void {
  withFilters(parent.command('list').description('list the latest events'))
    .option('--limit <count>', 'maximum number of events (default: 50, or no limit with --since or --after)')
    .option('--follow', 'continue with new events until you stop it')
    .action(async (options: ListOptions) => list(cli, options));
  withFilters(
    parent.command('export').description('print all events as JSON lines or CSV, the oldest first'),
  ).action(async (options: FilterOptions) => {
    const context = await cli.open();
    const events = listEvents(context.database, await readFilters(context, options), Infinity);
    await printList(
      cli,
      events,
      { json: options.csv !== true, csv: options.csv === true },
      { fields: eventFields },
    );
  });
}

function withFilters(command: Command): Command {
  return command
    .option('--user <userName>', 'events of this user; a deleted user by the id in the log')
    .option('--site <site>', 'events at this site')
    .addOption(new Option('--event <names...>', 'events of these kinds').choices(Object.keys(auditEvents)))
    .addOption(new Option('--result <result>', 'events with this result').choices(['success', 'failure']))
    .option('--since <time>', 'events from this time on: 2026-03-02, 2026-03-02T10:00Z, or 90m, 24h, 7d ago')
    .option('--until <time>', 'events before this time')
    .option('--correlation <id>', 'events of this request or command')
    .option('--after <number>', 'events after this one, for the next page')
    .addOption(new Option('--csv', 'print CSV, for spreadsheets').conflicts('json'));
}

async function list(cli: CliContext, options: ListOptions): Promise<void> {
  const context = await cli.open();
  const { database } = context;
  const hasStart = options.after !== undefined || options.since !== undefined;
  const limit = parseLimit(options.limit) ?? (hasStart ? Infinity : defaultLimit);
  const filters = await readFilters(context, options);
  const events = hasStart
    ? listEvents(database, filters, limit)
    : await findLatestEvents(database, filters, limit);
  await printList(cli, events, options, { fields: eventFields });
  if (options.follow !== true) return;
  const pause = async (): Promise<boolean> => {
    await wait(followIntervalMs);
    return true;
  };
  const { since: _since, until: _until, after: _after, ...otherFilters } = filters;
  for await (const event of followEvents(database, otherFilters, pause))
    await printList(cli, [event], options, { fields: eventFields, heading: false });
}

async function readFilters(
  { database, clock }: AdminContext,
  { user, after, ...options }: FilterOptions,
): Promise<EventFilters> {
  if (after !== undefined && !/^\d{1,18}$/.test(after))
    throw new UsageError('--after must be the number of an event');
  const now = clock.now();
  return {
    since: readMoment('--since', options.since, now),
    until: readMoment('--until', options.until, now),
    userId: user === undefined ? undefined : await requireAuditedUser(database, user),
    site: options.site === undefined ? undefined : siteNameKeys(options.site).at(-1),
    events: options.event,
    result: options.result,
    correlationId: options.correlation,
    after: after === undefined ? undefined : await requireEvent(database, after),
  };
}

/** @throws UsageError unless it is a day, a time or a duration before now */
export function readMoment(option: string, given: string | undefined, now: Date): Date | undefined {
  const moment = given === undefined ? undefined : parseMoment(given, now);
  if (given !== undefined && moment === undefined)
    throw new UsageError(`${option} must be a time such as 2026-03-02T10:00Z, or 24h (ago)`);
  return moment;
}
