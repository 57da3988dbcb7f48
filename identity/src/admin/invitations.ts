import type { Locale } from '@anteroom/contract';
import { createLinks } from '../recovery/links-store.ts';
import { createPasswordMail } from '../recovery/password-link.ts';
import { holdPersonByName } from '../users/users-store.ts';
import type { AdminContext } from './context.ts';
import type { Problem } from './problems.ts';

/** Sends each user a link for a password of their own; returns who could not be sent one, and why. */
export async function invite(
  context: AdminContext,
  userNames: readonly string[],
  { language, onSent }: { language: Locale; onSent: () => void },
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const userName of userNames) {
    const reason = await sendLink(context, userName, language);
    if (reason !== undefined) problems.push({ reason: `${userName} was sent no link: ${reason}` });
    onSent();
  }
  return problems;
}

/** Returns why none was sent. */
async function sendLink(
  context: AdminContext,
  userName: string,
  language: Locale,
): Promise<string | undefined> {
  const services = await context.services();
  const links = createLinks({ ...services, keyRing: services.keys.oneTimeSecrets });
  const written = await services.database.transaction().execute(async (transaction) => {
    const person = await holdPersonByName(transaction, userName);
    if (person === undefined) return 'there is no such user';
    if (person.status !== 'active') return 'the user is disabled';
    if (person.email === undefined) return 'the user has no e-mail';
    const needed = { ...services, links };
    const occasion = { person, language, isInvitation: true };
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
