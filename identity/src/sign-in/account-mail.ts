import type { Locale } from '@anteroom/contract';
import { pageAddress } from '../http/page-addresses.ts';
import { accountChangedMail } from '../messages/account-changed-mail.ts';
import type { AccountChange } from '../messages/account-changed-mail.ts';
import { issueRefusalLink } from '../passwords/refusal-links.ts';
import type { Services } from '../services.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { Person } from '../users/users-store.ts';
import { findMailFrame } from './mail-frame.ts';

type Needed = Pick<Services, 'clock' | 'config' | 'keys' | 'notices' | 'random'>;
type Recipient = Pick<Person, 'id' | 'userName' | 'email'>;

/**
 * Queues the mail that informs the user of an account change, in the transaction of the change. Call
 * `notices.sendDue` after the transaction commits.
 */
export async function queueAccountMail(
  services: Needed,
  transaction: DatabaseTransaction,
  { id: personId, userName, email }: Recipient,
  change: AccountChange,
  {
    language,
    browser,
    left = 0,
  }: {
    language: Locale;
    /** The display name of the browser; undefined if unknown, and for a change by an operator. */
    browser?: string | undefined;
    left?: number;
  },
): Promise<void> {
  if (email === undefined) return;
  const { clock, config, notices } = services;
  const token = await issueRefusalLink(services, transaction, personId);
  const page = pageAddress(config.publicUrl, 'notMe', { culture: language });
  const { timeZone } = config.messages;
  const facts = { userName, at: clock.now(), timeZone, browser, refusalLink: `${page}#${token}`, left };
  const frame = await findMailFrame(services, transaction, { personId, language });
  await notices.keep({ to: email, ...accountChangedMail(change, facts, frame) }, transaction);
}
