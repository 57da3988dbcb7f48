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
import { addSeconds, parseIsoMoment } from '../lib/clock.ts';
import { siteNameKey } from '../sites/sites-store.ts';
import { printList } from './output.ts';
import { UsageError, parseLimit } from './cli-context.ts';
import type { CommonOptions, CliContext } from './cli-context.ts';

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
    .option('--person <userName>', 'same as --user')
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

const secondsOf = { m: 60, h: 3600, d: 24 * 3600 } as const;

/**
 * Parses a day, a time (UTC unless it has a zone) or a duration before now.
 * @throws UsageError if it is none of these
 */
export function parseMoment(option: string, given: string | undefined, now: Date): Date | undefined {
  if (given === undefined) return undefined;
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(given) ?? [];
  if (count !== '') return addSeconds(now, -Number(count) * secondsOf[unit as keyof typeof secondsOf]);
  const moment = parseIsoMoment(given);
  if (moment === undefined)
    throw new UsageError(`${option} must be a time such as 2026-03-02T10:00Z, or 24h (ago)`);
  return moment;
}
