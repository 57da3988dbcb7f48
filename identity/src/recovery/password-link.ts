import type { Locale } from '@anteroom/contract';
import type { RecoveryCallInput } from '@anteroom/contract/recovery';
import type { Exchange } from '../http/exchange.ts';
import { pageAddress } from '../http/page-addresses.ts';
import type { MailContent } from '../messages/mail-layout.ts';
import type { Client } from '../provider/clients-store.ts';
import type { User } from '../users/users-store.ts';
import { findMailFrame } from '../sign-in/account-mail.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import { requestMail } from './request-mail.ts';
import { linkValidityMinutes } from './link-limits.ts';
import { writeInvitation, writePasswordLink, writeSignsInElsewhere } from './mails/mails.ts';
import type { RecoveryServices } from './recovery-services.ts';

/** Handles the request for a link after a forgotten password. */
export function createSendPasswordLink(services: RecoveryServices) {
  return async ({ body }: RecoveryCallInput<'sendPasswordLink'>, exchange: Exchange): Promise<undefined> => {
    const write = async (
      transaction: DatabaseTransaction,
      occasion: Pick<Occasion, 'user' | 'language' | 'client'>,
    ) => {
      const { content, hasLink } = await createPasswordMail(services, transaction, occasion);
      return { content, details: { letter: hasLink ? 'link' : 'signs in elsewhere' } };
    };
    const requestedMail = {
      event: 'recovery.password-link',
      name: body.userName,
      referer: body,
      write,
    } as const;
    await requestMail(services, requestedMail, exchange);
  };
}

type Occasion = {
  user: User;
  language: Locale;
  client?: Client | undefined;
  /** For a user who has not chosen a password yet: the link is an invitation and valid until this time. */
  invitedUntil?: Date;
};

/**
 * Issues a link for a new password and writes its e-mail. The token is in the fragment of the address, which browsers
 * never send: it does not reach logs, Referer headers or mail scanners, and opening the link does not consume it
 * (attacks and faults, S43).
 */
export async function createPasswordMail(
  services: Pick<RecoveryServices, 'config' | 'links'>,
  transaction: DatabaseTransaction,
  { user, language, client, invitedUntil }: Occasion,
): Promise<{ content: MailContent; hasLink: boolean }> {
  const token = await services.links.issue(user.id, transaction, invitedUntil);
  const frame = await findMailFrame(services, transaction, { userId: user.id, language, client });
  if (token === undefined) return { content: writeSignsInElsewhere(user, frame), hasLink: false };
  const page = pageAddress(services.config.publicUrl, 'newPassword', {
    culture: language,
    refererClientId: client?.id,
    // Selects the text for an expired link.
    invitation: invitedUntil && 'true',
  });
  const link = `${page}#${token}`;
  const { timeZone } = services.config.messages;
  const content =
    invitedUntil === undefined
      ? writePasswordLink(user, { link, minutes: linkValidityMinutes }, frame)
      : writeInvitation(user, { link, until: invitedUntil, timeZone }, frame);
  return { content, hasLink: true };
}
