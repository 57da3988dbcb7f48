import type { AuditEvent } from '../audit/audit.ts';
import { writeEvents } from '../audit/audit-store.ts';
import type { EndedSession } from '../sign-out/end-sessions.ts';
import type { Database } from '../store/schema.ts';
import type { AdminContext } from './admin-context.ts';

/** The user, site, application or connection that was changed. */
export type AuditTarget = Pick<AuditEvent, 'userId' | 'site' | 'clientId' | 'connection'>;

/** Records audit events in the transaction of the change, so that no change is committed without its event. */
export async function recordOperation(
  { operation, clock }: Pick<AdminContext, 'operation' | 'clock'>,
  transaction: Database,
  events: readonly Omit<AuditEvent, 'result'>[],
): Promise<void> {
  if (events.length === 0) return;
  const { actor, correlationId } = operation;
  const at = clock.now();
  await writeEvents(
    transaction,
    events.map((event) => ({
      ...event,
      result: 'success',
      details: { ...event.details, operator: actor.name, via: actor.via },
      at,
      correlationId,
    })),
  );
}

/** Records one change. `details` contain names and no values, because values may be personal data. */
export async function recordChange(
  context: AdminContext,
  transaction: Database,
  target: AuditTarget,
  details: { resource: string; action: string } & Readonly<Record<string, string>>,
): Promise<void> {
  await recordOperation(context, transaction, [{ event: 'operator.change', ...target, details }]);
}

/** Records sessions that an operator ended, directly or by another change. */
export async function recordEndedSessions(
  context: AdminContext,
  transaction: Database,
  sessions: readonly EndedSession[],
): Promise<void> {
  const events = sessions.map(({ idHash, userId, site }) => ({
    event: 'session.end' as const,
    reason: 'ended by an operator',
    userId,
    sessionHash: idHash,
    site,
  }));
  await recordOperation(context, transaction, events);
}
