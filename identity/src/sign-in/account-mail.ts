import type { Locale } from '@anteroom/contract';
import { pageAddress } from '../http/page-addresses.ts';
import { accountChangedMail } from '../messages/account-changed-mail.ts';
import type { AccountChange } from '../messages/account-changed-mail.ts';
import { issueRefusalLink } from '../passwords/refusal-links.ts';
import type { Services } from '../services.ts';
import type { DatabaseTransaction, Database } from '../store/schema.ts';
import type { User } from '../users/users-store.ts';
import type { MailFrame } from '../messages/mail-layout.ts';
import type { Client } from '../provider/clients-store.ts';

type Needed = Pick<Services, 'clock' | 'config' | 'keys' | 'notices' | 'random'>;
type Recipient = Pick<User, 'id' | 'userName' | 'email'>;

/**
 * Queues the mail that informs the user of an account change, in the transaction of the change. Call
 * `notices.sendDue` after the transaction commits.
 */
export async function queueAccountMail(
  services: Needed,
  transaction: DatabaseTransaction,
  { id: userId, userName, email }: Recipient,
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
  const token = await issueRefusalLink(services, transaction, userId);
  const page = pageAddress(config.publicUrl, 'notMe', { culture: language });
  const { timeZone } = config.messages;
  const facts = { userName, at: clock.now(), timeZone, browser, refusalLink: `${page}#${token}`, left };
  const frame = await findMailFrame(services, transaction, { userId, language });
  await notices.keep({ to: email, ...accountChangedMail(change, facts, frame) }, transaction);
}

/** A mail lists the user's organisations only if there are at most this many. */
const namesAtMost = 3;

/** The frame of a mail to a user: the product, the organisations of the account, and the support address. */
export async function findMailFrame(
  { config }: Pick<Services, 'config'>,
  database: Database | DatabaseTransaction,
  { userId, language, client }: { userId: string; language: Locale; client?: Client | undefined },
): Promise<MailFrame> {
  return {
    language,
    productName: client?.branding?.productName ?? undefined,
    organisation: await findOrganisationNames(database, userId, language),
    supportUrl: config.frontEnd.globalSupportUrl,
  };
}

/** The names of a user's organisations as a list in the given language; undefined if there are none or too many. */
async function findOrganisationNames(
  database: Database | DatabaseTransaction,
  userId: string,
  language: Locale,
): Promise<string | undefined> {
  const rows = await database
    .selectFrom('memberships')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .leftJoin('sites as parents', 'parents.id', 'sites.parent_id')
    .select((select) => select.fn.coalesce('parents.display_name', 'sites.display_name').as('name'))
    .distinct()
    .where('memberships.user_id', '=', userId)
    .where('sites.disabled_at', 'is', null)
    .orderBy('name')
    .limit(namesAtMost + 1)
    .execute();
  if (rows.length === 0 || rows.length > namesAtMost) return undefined;
  return new Intl.ListFormat(language).format(rows.map(({ name }) => name));
}
