import { signInNameKey } from '../lib/names.ts';
import { sql } from 'kysely';
import type { AuditEventName } from '../audit/audit.ts';
import type { Database } from '../store/schema.ts';
import { addSeconds, parseIsoMoment } from '../lib/clock.ts';
import { pageThrough } from './batches.ts';
import type { AdminContext } from './admin-context.ts';
import { permit } from './actor.ts';
import { isMemberWithin } from './scopes.ts';
import type { Scope } from './permissions.ts';
import { RefusedError } from './problems.ts';
import { users } from './users.ts';

/** In the order of the columns. `number` identifies an event and is the cursor for paging. */
export const eventFields = [
  'number',
  'at',
  'event',
  'result',
  'reason',
  'user',
  'site',
  'clientId',
  'connection',
  'address',
  'correlationId',
  'session',
  'details',
] as const;

type SureField = 'number' | 'at' | 'event' | 'correlationId';
export type PresentEvent = Record<SureField, string> &
  Record<Exclude<(typeof eventFields)[number], SureField | 'result' | 'details'>, string | null> & {
    result: 'success' | 'failure';
    details: Record<string, string> | null;
  };

/** An event for the console: with the id of the user, and the name of the operator. */
export type ListedEvent = PresentEvent & {
  userId: string | null;
  operator: string | null;
};

export type EventFilters = {
  userId?: string | undefined;
  site?: string | undefined;
  /** Only events of these sites; undefined: all events. */
  sites?: readonly string[] | undefined;
  connection?: string | undefined;
  events?: readonly AuditEventName[] | undefined;
  result?: 'success' | 'failure' | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  correlationId?: string | undefined;
  /** The last event of the previous page. */
  after?: { at: Date; number: string } | undefined;
  /** Selects events with a higher number, and sorts by number. */
  afterNumber?: string | undefined;
};

/** A day, a time (UTC unless it has a zone) or a duration before now; undefined if it is none of these. */
export function parseMoment(given: string, now: Date): Date | undefined {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(given) ?? [];
  if (count !== '') return addSeconds(now, -Number(count) * secondsOf[unit as keyof typeof secondsOf]);
  return parseIsoMoment(given);
}

const secondsOf = { m: 60, h: 3600, d: 24 * 3600 } as const;

/**
 * An administrator sees the events of the own sites, without addresses and sessions, and without the names of others
 * whose accounts somebody tried there. Nor does a failure tell whether there is such an account: whoever types names at
 * the own site must not find accounts without using up the allowance of `countPeople`.
 */
function narrow(scope: Scope, { is_member: isMember, ...row }: ListedRow): ListedEvent {
  const event = toListed(row);
  if (scope === 'all') return event;
  const narrowed = { ...event, address: null, session: null };
  if (isMember || event.event === 'operator.change') return narrowed;
  const stranger = { ...narrowed, user: null, userId: null };
  return event.event === 'password.check'
    ? { ...stranger, reason: 'not a member of the site', details: { factor: 'password' } }
    : stranger;
}

/**
 * A page of events within the actor's scope, the newest first, or in the order in which they were stored: a reader that
 * continues after the last number then misses no event that a node stored late.
 */
export async function listEventPage(
  context: AdminContext,
  filters: Omit<EventFilters, 'after' | 'afterNumber'>,
  { order, after, size }: { order: 'newest' | 'oldest'; after: string | undefined; size: number },
): Promise<{ items: ListedEvent[]; next: string | undefined }> {
  const { database } = context;
  const scope = permit(context, 'audit:read');
  const cursor = after === undefined ? undefined : await requireEvent(database, after, scope);
  let query = selectListedEvents(database, filters, scope).limit(size + 1);
  if (order === 'oldest') {
    query = query.orderBy('audit_events.number');
    if (cursor !== undefined) query = query.where('number', '>', cursor.number);
  } else {
    query = query.orderBy('audit_events.at', 'desc').orderBy('audit_events.number', 'desc');
    if (cursor !== undefined)
      query = query.where(sql<boolean>`(audit_events.at, number) < (${cursor.at}, ${cursor.number}::bigint)`);
  }
  const rows = await query.execute();
  const items = rows.slice(0, size).map((row) => narrow(scope, row));
  const isFollowed = order === 'oldest' && items.length > 0;
  return { items, next: rows.length > size || isFollowed ? (items.at(-1)?.number ?? undefined) : undefined };
}

/** All events within the actor's scope, the oldest first. */
export async function* exportEvents(
  context: AdminContext,
  filters: Omit<EventFilters, 'after' | 'afterNumber'>,
): AsyncGenerator<ListedEvent> {
  const scope = permit(context, 'audit:read');
  const found = pageThrough((last: ListedRow | undefined, size) => {
    const query = selectListedEvents(context.database, filters, scope);
    return (last === undefined ? query : query.where('number', '>', last.number))
      .orderBy('audit_events.number')
      .limit(size)
      .execute();
  }, Infinity);
  for await (const row of found) yield narrow(scope, row);
}

function selectListedEvents(database: Database, filters: EventFilters, scope: Scope) {
  const query = selectEvents(database, filters)
    // The operator of the command line and of a client has its own name.
    .leftJoin('users as operators', (join) =>
      join.on(sql<boolean>`operators.id = details ->> 'operator' and details ->> 'via' = 'console'`),
    )
    .select('operators.user_name as operator_name')
    .select(isMemberWithin(scope).as('is_member'));
  if (scope === 'all') return query;
  return query
    .where('site', '=', sql<string>`any(${[...scope]})`)
    .$if(filters.userId !== undefined, (filtered) => filtered.where(isMemberWithin(scope)));
}

type ListedRow = Awaited<ReturnType<ReturnType<typeof selectListedEvents>['execute']>>[number];

function toListed(row: Omit<ListedRow, 'is_member'>): ListedEvent {
  const event = toPresent(row);
  const operator = row.operator_name ?? row.details['operator'] ?? null;
  return { ...event, userId: row.user_id, operator };
}

/**
 * Reads events page by page. They are sorted by time and not by number, because nodes write events late, in batches.
 * With `afterNumber`, they are sorted by number.
 */
export async function* listEvents(
  database: Database,
  filters: EventFilters,
  limit: number,
): AsyncGenerator<PresentEvent> {
  const found = pageThrough(
    (last: EventRow | undefined, size) =>
      (filters.afterNumber === undefined
        ? selectEvents(database, { ...filters, after: last ?? filters.after }).orderBy('audit_events.at')
        : selectEvents(database, { ...filters, afterNumber: last?.number ?? filters.afterNumber })
      )
        .orderBy('audit_events.number')
        .limit(size)
        .execute(),
    limit,
  );
  for await (const row of found) yield toPresent(row);
}

/** The latest events, in ascending order. */
export async function findLatestEvents(
  database: Database,
  filters: EventFilters,
  count: number,
): Promise<PresentEvent[]> {
  const rows = await selectEvents(database, filters)
    .orderBy('audit_events.at', 'desc')
    .orderBy('audit_events.number', 'desc')
    .limit(count)
    .execute();
  return rows.toReversed().map(toPresent);
}

function selectEvents(database: Database, filters: EventFilters) {
  const { userId, site, sites, connection, events, result, since, until, correlationId, after, afterNumber } =
    filters;
  let query = database
    .selectFrom('audit_events')
    .leftJoin('users', 'users.id', 'audit_events.user_id')
    .selectAll('audit_events')
    .select('users.user_name');
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  if (site !== undefined) query = query.where('site', '=', site);
  if (sites !== undefined) query = query.where('site', '=', sql<string>`any(${[...sites]})`);
  if (connection !== undefined) query = query.where('connection', '=', connection);
  if (events !== undefined) query = query.where('event', 'in', events);
  if (result !== undefined) query = query.where('result', '=', result);
  if (since !== undefined) query = query.where('at', '>=', since);
  if (until !== undefined) query = query.where('at', '<', until);
  if (correlationId !== undefined) query = query.where('correlation_id', '=', correlationId);
  if (after !== undefined)
    query = query.where(sql<boolean>`(audit_events.at, number) > (${after.at}, ${after.number}::bigint)`);
  if (afterNumber !== undefined) query = query.where('number', '>', sql<string>`${afterNumber}::bigint`);
  return query;
}

type EventRow = Awaited<ReturnType<ReturnType<typeof selectEvents>['execute']>>[number];

function toPresent(row: EventRow): PresentEvent {
  return {
    number: String(row.number),
    at: row.at.toISOString(),
    event: row.event,
    result: row.result,
    reason: row.reason,
    user: row.user_name ?? row.user_id,
    site: row.site,
    clientId: row.client_id,
    connection: row.connection,
    address: row.address,
    correlationId: row.correlation_id,
    session: row.session_hash,
    details: Object.keys(row.details).length === 0 ? null : row.details,
  };
}

/**
 * Numbers are assigned before the transaction commits, so a row of another node can appear after rows with higher
 * numbers. The latest rows are read again to find such a row; this is their number.
 */
const lateRowWindow = 2_000;

/** Yields new events as they are recorded. `pause` runs between two queries; the generator ends when it returns false. */
export async function* followEvents(
  database: Database,
  filters: EventFilters,
  pause: () => Promise<boolean>,
): AsyncGenerator<PresentEvent> {
  const latest = await database
    .selectFrom('audit_events')
    .select(({ fn }) => fn.max('number').as('number'))
    .executeTakeFirst();
  const start = Number(latest?.number ?? 0);
  const seen = new Set<number>();
  let highest = start;
  while (await pause()) {
    const from = Math.max(start, highest - lateRowWindow);
    for await (const event of listEvents(database, { ...filters, afterNumber: String(from) }, Infinity)) {
      const number = Number(event.number);
      if (seen.has(number)) continue;
      seen.add(number);
      highest = Math.max(highest, number);
      yield event;
    }
    for (const number of seen) if (number <= highest - lateRowWindow) seen.delete(number);
  }
}

/** @throws RefusedError if the event does not exist or is no longer stored */
export async function requireEvent(
  database: Database,
  number: string,
  scope: Scope = 'all',
): Promise<{ at: Date; number: string }> {
  const event = await database
    .selectFrom('audit_events')
    .select(['at', 'number'])
    .where('number', '=', sql<string>`${number}::bigint`)
    .$if(scope !== 'all', (query) => query.where('site', 'in', scope === 'all' ? [] : scope))
    .executeTakeFirst();
  if (event === undefined)
    throw new RefusedError([
      { column: 'after', reason: `there is no event ${number}, or it is no longer stored: use since` },
    ]);
  return { at: event.at, number: String(event.number) };
}

/**
 * Finds the id of a user by user name or e-mail, or by the id itself, which the audit log also has for deleted users.
 */
export async function requireAuditedUser(database: Database, given: string): Promise<string> {
  const named = await database
    .selectFrom('sign_in_names')
    .select('user_id')
    .where('name_key', '=', signInNameKey(given))
    .executeTakeFirst();
  if (named !== undefined) return named.user_id;
  const known = await database
    .selectFrom('audit_events')
    .select('user_id')
    .where('user_id', '=', given)
    .limit(1)
    .executeTakeFirst();
  return known === undefined ? (await users.require(database, { userName: given })).id : given;
}
