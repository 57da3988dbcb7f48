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
type Told = Pick<Person, 'id' | 'userName' | 'email'>;

/** Tells the user of a change of the account, in the change's transaction. After the commit, call `notices.sendDue`. */
export async function keepAccountMail(
  services: Needed,
  transaction: DatabaseTransaction,
  { id: personId, userName, email }: Told,
  change: AccountChange,
  {
    language,
    browser,
    left = 0,
  }: {
    language: Locale;
    /** As people call it; undefined where it is not known, and for a change by an operator. */
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
