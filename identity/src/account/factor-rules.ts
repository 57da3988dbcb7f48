import { ContractError } from '../http/errors.ts';
import { listPasskeys } from '../passkeys/passkeys-store.ts';
import { findAcr, reachesAcr, secondFactorAcr } from '../sessions/assurance.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { countsAt, listCodeFactors } from '../sites/second-factors.ts';
import { listSitesRequiringFactor } from '../sites/site-memberships-store.ts';
import type { SecondFactorName } from '../sites/sites-store.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import type { Person } from '../users/users-store.ts';
import type { Account } from './require-account.ts';

// Which second factors a user may add, and which ones the user must keep.

/**
 * Whether the user has used a second factor of this service, as opposed to a factor of a company's identity provider.
 */
export function hasUsedOwnFactor({ methods, externallyAuthenticated }: SignedInSession): boolean {
  return !externallyAuthenticated && reachesAcr(findAcr(methods), secondFactorAcr);
}

/** @throws `forbidden` if the user has not used a second factor of this service */
export function requireOwnFactor({ session }: Account): void {
  if (!hasUsedOwnFactor(session))
    throw new ContractError('forbidden', { detail: 'this requires a second factor of this service' });
}

/**
 * Whether the user may add an app or a phone number: always after using a second factor of this service. Otherwise,
 * only if each site that requires a second factor allows users to set one up, because the password may be stolen
 * (decision 044).
 */
export async function mayAddCodeFactor(
  database: Database,
  { person, session }: Pick<Account, 'person' | 'session'>,
): Promise<boolean> {
  if (hasUsedOwnFactor(session)) return true;
  if (session.externallyAuthenticated) return false;
  const sites = await listSitesRequiringFactor(database, person.id);
  return sites.every((site) => !site.asksForSecondFactor || site.allowsAuthenticatorApps);
}

/** @throws `forbidden` if `mayAddCodeFactor` is false */
export async function requireMayAddCodeFactor(database: Database, account: Account): Promise<void> {
  if (!(await mayAddCodeFactor(database, account)))
    throw new ContractError('forbidden', {
      detail: 'a site requires a second factor, which a password alone cannot set up',
    });
}

/**
 * Call this before removing a factor, in the same transaction. Each site that requires a second factor, now or from a
 * later date, must accept one of the remaining factors. For passkeys, assumes that one passkey is removed.
 * @throws `site_requires_mfa`
 */
export async function requireRemainingFactor(
  transaction: DatabaseTransaction,
  person: Pick<Person, 'id' | 'secondFactor' | 'phoneNumber'>,
  removed: SecondFactorName,
): Promise<void> {
  const sites = await listSitesRequiringFactor(transaction, person.id);
  const passkeys = await listPasskeys(transaction, person.id);
  const hasPasskey = passkeys.length > (removed === 'passkey' ? 1 : 0);
  const isLeftWithout = sites
    .map((site) => ({ ...site, asksForSecondFactor: true }))
    .some((site) => {
      const codes = listCodeFactors(person, site).filter((factor) => factor !== removed);
      return codes.length === 0 && !(hasPasskey && countsAt(site, 'passkey'));
    });
  if (isLeftWithout)
    throw new ContractError('site_requires_mfa', { detail: 'a site requires this last second factor' });
}
