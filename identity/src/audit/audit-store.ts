import { sql } from 'kysely';
import type { Database } from '../store/schema.ts';
import type { AuditEvent, Occasion } from './audit.ts';

/** One event as it waits to be written. */
export type NotedEvent = AuditEvent & Occasion & { at: Date };

/** Longer texts are cut: none of ours is, and a row is no place for whatever somebody sends. */
const longestText = 300;

/** One statement for all of them, whatever their number: its text is always the same, so that it is planned once. */
export async function writeEvents(database: Database, events: readonly NotedEvent[]): Promise<void> {
  await sql`
    insert into audit_events
      (at, event, result, reason, person_id, session_hash, site, client_id, connection, correlation_id, address, details)
    select at, event, result, reason, person_id, session_hash, site, client_id, connection, correlation_id, address, details
    from jsonb_to_recordset(${JSON.stringify(events.map(toRow))}::jsonb) as noted (
      at timestamptz, event text, result text, reason text, person_id text, session_hash text, site text,
      client_id text, connection text, correlation_id text, address text, details jsonb)`.execute(database);
}

function toRow(event: NotedEvent): Record<string, unknown> {
  const details = Object.entries(event.details ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, storable(value)] as const],
  );
  return {
    at: event.at.toISOString(),
    event: event.event,
    result: event.result,
    reason: storable(event.reason),
    person_id: storable(event.personId),
    session_hash: storable(event.sessionHash),
    site: storable(event.site),
    client_id: storable(event.clientId),
    connection: storable(event.connection),
    correlation_id: storable(event.correlationId),
    address: storable(event.address),
    details: Object.fromEntries(details),
  };
}

/** PostgreSQL takes neither NUL nor half a pair of surrogates; one event with such a text must not hold up the others. */
function storable(text: string | undefined): string | undefined {
  return text?.slice(0, longestText).toWellFormed().replaceAll('\0', '\ufffd');
}

/** At once, so that no statement runs into its time-out. */
const forgottenAtOnce = 5_000;
const roundsAtMost = 20;

/** Forgets events before a moment; answers how many. What is left over is forgotten the next time. */
export async function forgetEventsBefore(database: Database, moment: Date): Promise<number> {
  let forgotten = 0;
  for (let round = 0; round < roundsAtMost; round += 1) {
    const { numDeletedRows } = await database
      .deleteFrom('audit_events')
      .where('number', 'in', (query) =>
        query.selectFrom('audit_events').select('number').where('at', '<', moment).limit(forgottenAtOnce),
      )
      .executeTakeFirst();
    forgotten += Number(numDeletedRows);
    if (Number(numDeletedRows) < forgottenAtOnce) break;
  }
  return forgotten;
}
