import { ContractError } from '../http/errors.ts';
import type { Audit, AuditContext, AuditEvent } from './audit.ts';

/** Runs `work`. If it throws a contract error, records the event as a failure with the reason, and rethrows. */
export async function noteRefusal<Result>(
  { note }: Pick<Audit, 'note'>,
  event: Omit<AuditEvent, 'result' | 'reason'>,
  context: AuditContext,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ContractError)
      note({ ...event, result: 'failure', reason: error.detail ?? error.code }, context);
    throw error;
  }
}
