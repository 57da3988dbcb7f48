import type { Locale } from '@anteroom/contract';
import { addSeconds } from '../lib/clock.ts';
import { createLinks } from '../recovery/links-store.ts';
import { createPasswordMail } from '../recovery/password-link.ts';
import { findPersonByNameForShare } from '../users/users-store.ts';
import type { AdminContext } from './context.ts';
import type { Problem } from './problems.ts';

/** Sending in parallel helps, because of the 150 ms per mail most is waiting for the mail server. */
const concurrency = 5;

/**
 * Sends each user a link to choose a password. Returns a problem for each user who could not be invited. The limits for
 * mails that visitors request do not count invitations.
 */
export async function invite(
  context: AdminContext,
  userNames: readonly string[],
  { days, language, onSent }: { days: number; language: Locale; onSent: () => void },
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const until = addSeconds(context.clock.now(), days * 24 * 60 * 60);
  const remaining = userNames.values();
  const work = async (): Promise<void> => {
    for (const userName of remaining) {
      const reason = await sendLink(context, userName, { language, invitedUntil: until });
      if (reason !== undefined) problems.push({ reason: `${userName} was not invited: ${reason}` });
      onSent();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return problems;
}

/** Returns the reason if no link was sent. */
async function sendLink(
  context: AdminContext,
  userName: string,
  invitation: { language: Locale; invitedUntil: Date },
): Promise<string | undefined> {
  const services = await context.services();
  const links = createLinks({ ...services, keyRing: services.keys.oneTimeSecrets });
  const mail = await services.database.transaction().execute(async (transaction) => {
    const person = await findPersonByNameForShare(transaction, userName);
    if (person === undefined) return 'there is no such user';
    if (person.status !== 'active') return 'the user is disabled';
    if (person.email === undefined) return 'the user has no e-mail';
    const { content, hasLink } = await createPasswordMail({ ...services, links }, transaction, {
      person,
      ...invitation,
    });
    return hasLink ? { to: person.email, ...content } : 'the user signs in elsewhere';
  });
  if (typeof mail === 'string') return mail;
  try {
    await services.mail.send(mail);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
