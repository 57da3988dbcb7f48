import { recordBounce } from '../messages/mail-bounces.ts';
import { runInTransaction } from './context.ts';
import type { AdminContext } from './context.ts';
import { recordOperation } from './operator-events.ts';
import { RefusedError } from './problems.ts';

/**
 * Records a bounce that the operator's mail system reported after the mail was sent.
 * @throws RefusedError when no user has the address
 */
export async function reportBounce(context: AdminContext, address: string, status: string): Promise<void> {
  await runInTransaction(context, async (transaction) => {
    const personId = await recordBounce(transaction, { address, status }, context.clock.now());
    if (personId === undefined) throw new RefusedError('no user has this e-mail');
    await recordOperation(context, transaction, [{ event: 'mail.bounce', reason: status, personId }]);
  });
}
