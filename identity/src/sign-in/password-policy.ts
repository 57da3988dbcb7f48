import type { CallAnswer, CallInput } from '@anteroom/contract';
import { describePolicy, parseSitePolicy, policyOf } from '../passwords/policy.ts';
import type { PasswordPolicy } from '../passwords/policy.ts';
import type { Services } from '../services.ts';
import { findSite } from '../sites/sites-store.ts';
import type { Site } from '../sites/sites-store.ts';

/** The rules of a new password at a site. Nobody is looked up: the answer is the same for people who exist and who do not. */
export function createPasswordPolicy({ database }: Pick<Services, 'database'>) {
  return async ({ body }: CallInput<'passwordPolicy'>): Promise<CallAnswer<'passwordPolicy'>> => {
    const site =
      body.site === undefined || body.site === '' ? undefined : await findSite(database, body.site);
    return describePolicy(policyAt(site));
  };
}

export function policyAt(site: Site | undefined): PasswordPolicy {
  return policyOf(
    site && {
      secondFactorRequired: site.secondFactorRequired,
      passwordPolicy: parseSitePolicy(site.passwordPolicy),
    },
  );
}
