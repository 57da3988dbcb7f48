import { sql } from 'kysely';
import type { AuditEventName } from '../audit/audit.ts';
import { signInNameKey } from '../lib/names.ts';
import type { Database } from '../store/schema.ts';
import { pageThrough } from './batches.ts';
import { RefusedError } from './problems.ts';
import { users } from './users.ts';

/** In the order of the columns. `number` identifies an event and is the cursor for paging. */
export const eventFields = [
  'number',
  'at',
  'event',
  'result',
  'reason',
  'person',
  'site',
  'clientId',
  'connection',
  'address',
  'correlationId',
  'session',
  'details',
] as const;

export type PresentEvent = Record<Exclude<(typeof eventFields)[number], 'details'>, string | null> & {
  details: Record<string, string> | null;
};

export type EventFilters = {
  personId?: string | undefined;
  site?: string | undefined;
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
  const { personId, site, events, result, since, until, correlationId, after, afterNumber } = filters;
  let query = database
    .selectFrom('audit_events')
    .leftJoin('people', 'people.id', 'audit_events.person_id')
    .selectAll('audit_events')
    .select('people.user_name');
  if (personId !== undefined) query = query.where('person_id', '=', personId);
  if (site !== undefined) query = query.where('site', '=', site);
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
    person: row.user_name ?? row.person_id,
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
): Promise<{ at: Date; number: string }> {
  const event = await database
    .selectFrom('audit_events')
    .select(['at', 'number'])
    .where('number', '=', sql<string>`${number}::bigint`)
    .executeTakeFirst();
  if (event === undefined)
    throw new RefusedError(`there is no event ${number}, or it is no longer stored: use --since`);
  return { at: event.at, number: String(event.number) };
}

/**
 * Finds the id of a user by user name or e-mail, or by the id itself, which the audit log also has for deleted users.
 */
export async function requireAuditedUser(database: Database, given: string): Promise<string> {
  const named = await database
    .selectFrom('sign_in_names')
    .select('person_id')
    .where('name_key', '=', signInNameKey(given))
    .executeTakeFirst();
  if (named !== undefined) return named.person_id;
  const known = await database
    .selectFrom('audit_events')
    .select('person_id')
    .where('person_id', '=', given)
    .limit(1)
    .executeTakeFirst();
  return known === undefined ? (await users.require(database, { userName: given })).id : given;
}
