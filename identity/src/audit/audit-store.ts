import { sql } from 'kysely';
import type { Database } from '../store/schema.ts';
import type { AuditEvent, AuditContext } from './audit.ts';

/** An event in the queue. */
export type QueuedEvent = AuditEvent & AuditContext & { at: Date };

/** Longer texts are truncated. The service's own texts are shorter, but clients can send text of any length. */
const longestText = 300;

/**
 * Writes any number of events in one statement. The text of the statement is always the same, so PostgreSQL plans it
 * once.
 */
export async function writeEvents(database: Database, events: readonly QueuedEvent[]): Promise<void> {
  await sql`
    insert into audit_events
      (at, event, result, reason, user_id, session_hash, site, client_id, connection, correlation_id, address, details)
    select at, event, result, reason, user_id, session_hash, site, client_id, connection, correlation_id, address, details
    from jsonb_to_recordset(${JSON.stringify(events.map(toRow))}::jsonb) as noted (
      at timestamptz, event text, result text, reason text, user_id text, session_hash text, site text,
      client_id text, connection text, correlation_id text, address text, details jsonb)`.execute(database);
}

function toRow(event: QueuedEvent): Record<string, unknown> {
  const details = Object.entries(event.details ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, storable(value)] as const],
  );
  return {
    at: event.at.toISOString(),
    event: event.event,
    result: event.result,
    reason: storable(event.reason),
    user_id: storable(event.userId),
    session_hash: storable(event.sessionHash),
    site: storable(event.site),
    client_id: storable(event.clientId),
    connection: storable(event.connection),
    correlation_id: storable(event.correlationId),
    address: storable(event.address),
    details: Object.fromEntries(details),
  };
}

/** Replaces NUL and unpaired surrogates, which PostgreSQL rejects: one such text must not block the other events. */
function storable(text: string | undefined): string | undefined {
  return text?.slice(0, longestText).toWellFormed().replaceAll('\0', '\ufffd');
}
