import type { Locale } from '@anteroom/contract';
import { asName, layOutMail } from '../messages/mail-layout.ts';
import type { Services } from '../services.ts';
import { findMailFrame, queueAccountMail } from '../sign-in/account-mail.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import { textsIn } from '../texts/catalogue.ts';

type Reached = { id: string; userName: string; email: string | null; phoneNumber: string | null };

/**
 * Tells a user whose number or address an operator changes. The previous number gets no text message: an operator changes
 * a number because the user cannot use it any more.
 */
export async function queueMailsOfChange(
  services: Services,
  transaction: DatabaseTransaction,
  { before, after, language }: { before: Reached; after: Omit<Reached, 'id'>; language: Locale },
): Promise<void> {
  const { id, userName, email } = before;
  if (email !== null && email !== after.email) {
    const { addressChanged, notExpected } = textsIn(language).boardMails;
    const { subject, text } = addressChanged;
    const blocks = [{ text: text({ userName: asName(userName, language) }) }, { text: notExpected }];
    const frame = await findMailFrame(services, transaction, { userId: id, language });
    await services.notices.keep({ to: email, ...layOutMail(subject, blocks, frame) }, transaction);
    return;
  }
  if (before.phoneNumber === after.phoneNumber) return;
  const user = { id, userName: after.userName, email: after.email ?? undefined };
  const change = after.phoneNumber === null ? 'officeRemovedNumber' : 'officeSetNumber';
  await queueAccountMail(services, transaction, user, change, { language });
}
