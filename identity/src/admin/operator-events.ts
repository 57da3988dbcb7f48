import type { AuditEvent } from '../audit/audit.ts';
import { writeEvents } from '../audit/audit-store.ts';
import type { EndedSession } from '../openid/end-sessions.ts';
import type { Database } from '../store/schema.ts';
import type { AdminContext } from './context.ts';

/** The user, site, application or connection that an event concerns. */
export type Concern = Pick<AuditEvent, 'personId' | 'site' | 'clientId' | 'connection'>;

/** Records what an operator does, in the transaction that does it: there is no change without its audit event. */
export async function recordOperation(
  { operation, clock }: Pick<AdminContext, 'operation' | 'clock'>,
  transaction: Database,
  events: readonly Omit<AuditEvent, 'result'>[],
): Promise<void> {
  if (events.length === 0) return;
  const { operator, correlationId } = operation;
  const at = clock.now();
  await writeEvents(
    transaction,
    events.map((event) => ({
      ...event,
      result: 'success',
      details: { ...event.details, operator },
      at,
      correlationId,
    })),
  );
}

/** One change of one thing. `details` are names, never values: values contain personal data. */
export async function recordChange(
  context: AdminContext,
  transaction: Database,
  concern: Concern,
  details: { noun: string; verb: string } & Readonly<Record<string, string>>,
): Promise<void> {
  await recordOperation(context, transaction, [{ event: 'operator.change', ...concern, details }]);
}

/** Sessions that an operator ended, directly or by another change. */
export async function recordEndedSessions(
  context: AdminContext,
  transaction: Database,
  sessions: readonly EndedSession[],
): Promise<void> {
  const events = sessions.map(({ idHash, personId, site }) => ({
    event: 'session.end' as const,
    reason: 'ended by an operator',
    personId,
    sessionHash: idHash,
    site,
  }));
  await recordOperation(context, transaction, events);
}
