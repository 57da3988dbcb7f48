import { ContractError } from '../http/errors.ts';
import { listPasskeys } from '../passkeys/passkeys-store.ts';
import { countsAt, listCodeFactors } from '../sign-in/second-factors.ts';
import type { SecondFactorName } from '../sites/sites-store.ts';
import { toSite } from '../sites/sites-store.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { Person } from '../users/users-store.ts';

/**
 * For a user who removes a factor (or one passkey), in the transaction of the removal and before it: each site that asks for a second factor must still have one that counts.
 * @throws `site_requires_mfa`
 */
export async function requireRemainingFactor(
  transaction: DatabaseTransaction,
  person: Pick<Person, 'id' | 'secondFactor' | 'phoneNumber'>,
  removed: SecondFactorName,
): Promise<void> {
  const rows = await transaction
    .selectFrom('memberships')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .selectAll('sites')
    .where('memberships.person_id', '=', person.id)
    .where('sites.second_factor_required', '=', true)
    .where('sites.disabled_at', 'is', null)
    .execute();
  const passkeys = await listPasskeys(transaction, person.id);
  const hasPasskey = passkeys.length > (removed === 'passkey' ? 1 : 0);
  const isLeftWithout = rows
    .map(toSite)
    .filter((site) => site.asksForSecondFactor)
    .some((site) => {
      const codes = listCodeFactors(person, site).filter((factor) => factor !== removed);
      return codes.length === 0 && !(hasPasskey && countsAt(site, 'passkey'));
    });
  if (isLeftWithout)
    throw new ContractError('site_requires_mfa', { detail: 'the last second factor that a site asks for' });
}
