import type { Locale } from '@anteroom/contract';
import { revokeAccess } from '../openid/end-sessions.ts';
import type { RevokedAccess } from '../openid/end-sessions.ts';
import { replaceHash } from '../passwords/change-store.ts';
import type { Person } from '../users/users-store.ts';
import type { Services } from '../services.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import { keepAccountMail } from './account-mail.ts';

type Change = {
  /** As it was read before anything was verified. */
  person: Pick<Person, 'id' | 'userName' | 'email' | 'passwordHash' | 'securityVersion'>;
  newHash: string;
  /** The language of the mail that tells the person. */
  language: Locale;
  /** As people call it; undefined where it is not known, and for a change by an operator. */
  browser?: string | undefined;
  mustChange?: boolean;
  /** The session that the caller renews in the same transaction. */
  exceptIdHash?: string | undefined;
};

/**
 * The one way to set another password: everything that the old one has opened is closed, and the person is told by mail (NIST SP 800-63B-4,
 * 4.2.3). Undefined when another change of the account was quicker: the transaction must then be rolled back. After the commit, call `notices.sendDue` and
 * `tellApplications`.
 */
export async function replacePassword(
  services: Pick<Services, 'clock' | 'config' | 'keys' | 'notices' | 'random' | 'secondFactor'>,
  transaction: DatabaseTransaction,
  { person, newHash, language, browser, mustChange, exceptIdHash }: Change,
): Promise<RevokedAccess | undefined> {
  const now = services.clock.now();
  // first, because it holds the account's row
  const revoked = await revokeAccess(services, transaction, person.id, { exceptIdHash });
  if (revoked.securityVersion !== person.securityVersion + 1) return undefined;
  const hashes = { personId: person.id, presentHash: person.passwordHash ?? '', newHash };
  if (!(await replaceHash(transaction, { ...hashes, ...(mustChange !== undefined && { mustChange }) }, now)))
    return undefined;
  await keepAccountMail(services, transaction, person, 'password', { language, browser });
  return revoked;
}
