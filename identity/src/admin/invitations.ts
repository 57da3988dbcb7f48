import type { Locale } from '@anteroom/contract';
import { addSeconds } from '../lib/clock.ts';
import { createLinks } from '../recovery/links-store.ts';
import { createPasswordMail } from '../recovery/password-link.ts';
import { holdPersonByName } from '../users/users-store.ts';
import type { AdminContext } from './context.ts';
import type { Problem } from './problems.ts';

/** A mail server takes some 150 ms for a mail, most of which is waiting. */
const sentAtOnce = 5;

/**
 * Sends each user a link for a password of their own; returns who could not be sent one, and why. The limits of mails that visitors ask
 * for do not count invitations.
 */
export async function invite(
  context: AdminContext,
  userNames: readonly string[],
  { days, language, onSent }: { days: number; language: Locale; onSent: () => void },
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const until = addSeconds(context.clock.now(), days * 24 * 60 * 60);
  const left = userNames.values();
  const sendNext = async (): Promise<void> => {
    for (const userName of left) {
      const reason = await sendLink(context, userName, { language, invitedUntil: until });
      if (reason !== undefined) problems.push({ reason: `${userName} was sent no link: ${reason}` });
      onSent();
    }
  };
  await Promise.all(Array.from({ length: sentAtOnce }, sendNext));
  return problems;
}

/** Returns why none was sent. */
async function sendLink(
  context: AdminContext,
  userName: string,
  invitation: { language: Locale; invitedUntil: Date },
): Promise<string | undefined> {
  const services = await context.services();
  const links = createLinks({ ...services, keyRing: services.keys.oneTimeSecrets });
  const written = await services.database.transaction().execute(async (transaction) => {
    const person = await holdPersonByName(transaction, userName);
    if (person === undefined) return 'there is no such user';
    if (person.status !== 'active') return 'the user is disabled';
    if (person.email === undefined) return 'the user has no e-mail';
    const needed = { ...services, links };
    const occasion = { person, ...invitation };
    const { content, hasLink } = await createPasswordMail(needed, transaction, occasion);
    return hasLink ? { to: person.email, ...content } : 'the user signs in elsewhere';
  });
  if (typeof written === 'string') return written;
  try {
    await services.mail.send(written);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
