import { ContractError } from '../http/errors.ts';
import type { Audit, AuditEvent, Occasion } from './audit.ts';

/** Does `work`; when it is refused, the event is noted as a failure with the reason, and the refusal goes on its way. */
export async function noteRefusal<Result>(
  { note }: Pick<Audit, 'note'>,
  event: Omit<AuditEvent, 'result' | 'reason'>,
  occasion: Occasion,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ContractError)
      note({ ...event, result: 'failure', reason: error.detail ?? error.code }, occasion);
    throw error;
  }
}
