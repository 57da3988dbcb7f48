import type { Locale } from '@anteroom/contract';
import { addSeconds } from '../lib/clock.ts';
import type { MailContent } from '../messages/mail-layout.ts';
import { createLinks } from '../recovery/links-store.ts';
import { createPasswordMail } from '../recovery/password-link.ts';
import { findUserByIdForShare } from '../users/users-store.ts';
import type { AdminContext } from './admin-context.ts';
import type { Problem } from './problems.ts';

type Letter = { to: string } & MailContent;

/** How long an invitation is valid. Operators choose another time for each (`--days`). */
export const invitationDays = 7;
export const longestInvitationDays = 30;

const daySeconds = 24 * 60 * 60;

export type PasswordMail = {
  language?: Locale | undefined;
  /** For a user who has not chosen a password yet; the link is valid for some days. */
  isInvitation: boolean;
  /** Default: `invitationDays`. */
  days?: number | undefined;
};

export type SentMail = { sentTo: string; until: Date | undefined };

/**
 * Sends the user a link to choose a password, to the stored address. The limits for mails that visitors request do not
 * count it. Returns the problem if no link was sent.
 */
export async function sendPasswordMail(
  context: AdminContext,
  userId: string,
  { language = context.operation.actor.language, isInvitation, days = invitationDays }: PasswordMail,
): Promise<SentMail | Problem> {
  const services = await context.services();
  const links = createLinks({ ...services, keyRing: services.keys.oneTimeSecrets });
  const until = isInvitation ? addSeconds(context.clock.now(), days * daySeconds) : undefined;
  const mail = await services.database
    .transaction()
    .execute(async (transaction): Promise<Letter | Problem> => {
      const user = await findUserByIdForShare(transaction, userId);
      if (user === undefined) return { reason: 'there is no such user' };
      if (user.status !== 'active') return { reason: 'the user is disabled' };
      if (user.email === undefined) return { reason: 'the user has no e-mail', code: 'no-email' };
      const invitation = until === undefined ? {} : { invitedUntil: until };
      const { content, hasLink } = await createPasswordMail({ ...services, links }, transaction, {
        user,
        language,
        ...invitation,
      });
      return hasLink
        ? { to: user.email, ...content }
        : { reason: 'the user signs in elsewhere', code: 'signs-in-elsewhere' };
    });
  if ('reason' in mail) return mail;
  try {
    await services.mail.send(mail);
    return { sentTo: mail.to, until };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}
