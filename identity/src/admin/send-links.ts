import type { Locale } from '@anteroom/contract';
import { createAllowances } from '../limits/allowances.ts';
import { runInTransaction } from './admin-context.ts';
import type { AdminContext } from './admin-context.ts';
import { recordChange } from './operator-events.ts';
import { sendPasswordMail } from './password-mails.ts';
import type { PasswordMail, SentMail } from './password-mails.ts';
import { RefusedError } from './problems.ts';
import type { Problem } from './problems.ts';
import { requireUserFor } from './users.ts';
import type { UserReference } from './users.ts';

/** Sending in parallel helps, because of the 150 ms per mail most is waiting for the mail server. */
const concurrency = 5;

/** Sends each user a link to choose a password. Returns a problem for each user who could not be invited. */
export async function invite(
  context: AdminContext,
  userNames: readonly string[],
  { days, language, onSent }: { days: number; language: Locale; onSent: () => void },
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const remaining = userNames.values();
  const work = async (): Promise<void> => {
    for (const userName of remaining) {
      const mail = { language, days, isInvitation: true };
      const sent = await sendLink(context, { name: userName }, mail).catch((error: unknown) => {
        if (error instanceof RefusedError) return error;
        throw error;
      });
      if (sent instanceof RefusedError)
        problems.push({ reason: `${userName} was not invited: ${sent.message}` });
      onSent();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return problems;
}

/** Nobody fills the mailbox of a user over HTTP; the command line can send as many as the mail server accepts. */
const linksToOneUser = { count: 5, windowSeconds: 60 * 60 };

/** @throws RefusedError if the user got five links in the last hour */
export async function countLink(context: AdminContext, userId: string): Promise<void> {
  if (context.operation.actor.via === 'shell') return;
  const services = await context.services();
  const allowances = createAllowances({ ...services, keyRing: services.keys.limits });
  const retryAfterSeconds = await allowances.take('link to a user', userId, linksToOneUser);
  if (retryAfterSeconds !== undefined)
    throw new RefusedError('the user got five links in the last hour', {
      kind: 'limited',
      retryAfterSeconds,
    });
}

/**
 * Sends one user a link to the stored address.
 * @throws RefusedError if no link was sent
 */
export async function sendLink(
  context: AdminContext,
  user: UserReference,
  mail: PasswordMail,
): Promise<SentMail> {
  const { id } = await requireUserFor(context, 'users:help', user);
  await countLink(context, id);
  const sent = await sendPasswordMail(context, id, mail);
  if ('reason' in sent) throw new RefusedError([{ ...sent, kind: 'conflict' }]);
  const action = mail.isInvitation ? 'invite' : 'password-link';
  await runInTransaction(context, (transaction) =>
    recordChange(context, transaction, { userId: id }, { resource: 'users', action }),
  );
  return sent;
}
