import { setTimeout as wait } from 'node:timers/promises';
import { Option } from 'commander';
import type { Command } from 'commander';
import { sql } from 'kysely';
import { auditEventNames } from '../../audit/audit.ts';
import type { AuditEventName } from '../../audit/audit.ts';
import { signInNameKey } from '../../lib/sign-in-name.ts';
import { siteNameKey } from '../../sites/sites-store.ts';
import { columns, csv, jsonLines } from '../listing/list-formats.ts';
import type { ListFormat } from '../listing/list-formats.ts';
import { RefusedError, UsageError } from '../problems.ts';
import type { Workbench } from '../workbench.ts';
import type { CommonOptions, World } from '../world.ts';
import { followEvents } from './follow-events.ts';
import { parseMoment } from './parse-moment.ts';
import { eventFields, findLatestEvents, listEvents } from './present-events.ts';
import type { EventFilters, PresentEvent } from './present-events.ts';

type FilterOptions = CommonOptions & {
  person?: string;
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
  withFilters(parent.command('list').description('the latest events, or those that the filters say'))
    .option('--limit <count>', 'at most so many (50 where nothing says where to begin)')
    .option('--follow', 'go on with what is noted from now on, until you stop it')
    .action(async (options: ListOptions) => list(world, options));
  withFilters(
    parent
      .command('export')
      .description('every event that the filters say, as JSON lines or CSV, the oldest first'),
  ).action(async (options: FilterOptions) => {
    const bench = await world.open();
    const events = listEvents(bench.database, await readFilters(bench, options), Infinity);
    await print(world, options.csv === true ? csv(eventFields) : jsonLines, events);
  });
}

function withFilters(command: Command): Command {
  return command
    .option('--person <userName>', 'of this person; also of one that is gone, by the id that the log has')
    .option('--site <site>', 'at this site')
    .addOption(new Option('--event <names...>', 'of these kinds').choices(auditEventNames))
    .addOption(new Option('--result <result>', 'with this result').choices(['success', 'failure']))
    .option('--since <time>', 'from this time on: 2026-03-02, 2026-03-02T10:00Z, or 90m, 24h, 7d ago')
    .option('--until <time>', 'before this time')
    .option('--correlation <id>', 'of this request, or of this command')
    .option('--after <number>', 'those that follow this one, for the next page')
    .addOption(new Option('--csv', 'as CSV, for spreadsheets').conflicts('json'));
}

async function list(world: World, options: ListOptions): Promise<void> {
  if (options.limit !== undefined && !/^[1-9]\d{0,8}$/.test(options.limit))
    throw new UsageError('--limit must be a whole number from 1');
  const bench = await world.open();
  const filters = await readFilters(bench, options);
  const saysWhereToBegin = options.after !== undefined || options.since !== undefined;
  const limit =
    options.limit === undefined ? (saysWhereToBegin ? Infinity : shownWithoutLimit) : Number(options.limit);
  const events = saysWhereToBegin
    ? listEvents(bench.database, filters, limit)
    : await findLatestEvents(bench.database, filters, limit);
  const shown = Array.isArray(events) ? events : await firstOf(events, limit);
  const format =
    options.json === true ? jsonLines : options.csv === true ? csv(eventFields) : columns(eventFields, shown);
  await print(world, format, shown);
  if (options.follow !== true) return;
  const pause = async (): Promise<boolean> => {
    await wait(followEveryMs);
    return true;
  };
  const { since: _since, until: _until, after: _after, ...lasting } = filters;
  await print(world, { format: format.format }, followEvents(bench.database, lasting, pause));
}

/** Columns are as wide as what stands in them, so a list for people is read whole; `export` is for those that are long. */
async function firstOf(events: AsyncGenerator<PresentEvent>, limit: number): Promise<PresentEvent[]> {
  const first: PresentEvent[] = [];
  for await (const event of events) {
    first.push(event);
    if (first.length >= Math.min(limit, 100_000)) break;
  }
  return first;
}

async function print(
  { terminal }: World,
  { heading, format }: ListFormat,
  events: Iterable<PresentEvent> | AsyncIterable<PresentEvent>,
): Promise<void> {
  if (heading !== undefined) await terminal.print(heading);
  for await (const event of events) await terminal.print(format(event));
}

async function readFilters(bench: Workbench, options: FilterOptions): Promise<EventFilters> {
  if (options.after !== undefined && !/^\d{1,18}$/.test(options.after))
    throw new UsageError('--after must be the number of an event');
  const now = bench.clock.now();
  return {
    personId: options.person === undefined ? undefined : await findPersonId(bench, options.person),
    site: options.site === undefined ? undefined : siteNameKey(options.site),
    events: options.event,
    result: options.result,
    since: parseMoment('--since', options.since, now),
    until: parseMoment('--until', options.until, now),
    correlationId: options.correlation,
    after: options.after === undefined ? undefined : await requireEvent(bench, options.after),
  };
}

async function requireEvent({ database }: Workbench, number: string): Promise<{ at: Date; number: string }> {
  const event = await database
    .selectFrom('audit_events')
    .select(['at', 'number'])
    .where('number', '=', sql<string>`${number}::bigint`)
    .executeTakeFirst();
  if (event === undefined)
    throw new RefusedError([{ reason: `there is no event ${number} (any more): use --since` }]);
  return { at: event.at, number: String(event.number) };
}

/** A name that somebody has, or the id of somebody whom the log knows. */
async function findPersonId({ database }: Workbench, said: string): Promise<string> {
  const named = await database
    .selectFrom('sign_in_names')
    .select('person_id')
    .where('name_key', '=', signInNameKey(said))
    .executeTakeFirst();
  if (named !== undefined) return named.person_id;
  const known = await database
    .selectFrom('audit_events')
    .select('person_id')
    .where('person_id', '=', said)
    .limit(1)
    .executeTakeFirst();
  if (known === undefined) throw new RefusedError([{ reason: `there is no person ${said}` }]);
  return said;
}
