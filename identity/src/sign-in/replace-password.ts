import type { Locale } from '@anteroom/contract';
import { pageAddress } from '../http/page-addresses.ts';
import { passwordChangedMail } from '../messages/password-changed-mail.ts';
import { revokeAccess } from '../openid/end-sessions.ts';
import type { RevokedAccess } from '../openid/end-sessions.ts';
import { replaceHash } from '../passwords/change-store.ts';
import { issueRefusalLink } from '../passwords/refusal-links.ts';
import type { Person } from '../users/users-store.ts';
import type { Services } from '../services.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import { findMailFrame } from './mail-frame.ts';

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
  const { clock, config, notices } = services;
  const now = clock.now();
  // first, because it holds the account's row
  const revoked = await revokeAccess(services, transaction, person.id, { exceptIdHash });
  if (revoked.securityVersion !== person.securityVersion + 1) return undefined;
  const hashes = { personId: person.id, presentHash: person.passwordHash ?? '', newHash };
  if (!(await replaceHash(transaction, { ...hashes, ...(mustChange !== undefined && { mustChange }) }, now)))
    return undefined;
  if (person.email !== undefined) {
    const token = await issueRefusalLink(services, transaction, person.id);
    const page = pageAddress(config.publicUrl, 'notMe', { culture: language });
    const { timeZone } = config.messages;
    const facts = { userName: person.userName, at: now, timeZone, browser, refusalLink: `${page}#${token}` };
    const frame = await findMailFrame(services, transaction, { personId: person.id, language });
    await notices.keep({ to: person.email, ...passwordChangedMail(facts, frame) }, transaction);
  }
  return revoked;
}
