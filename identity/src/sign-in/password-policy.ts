import type { CallAnswer, CallInput } from '@anteroom/contract';
import type { Exchange } from '../http/exchange.ts';
import { describePolicy, parseSitePolicy, policyOf } from '../passwords/policy.ts';
import type { PasswordPolicy } from '../passwords/policy.ts';
import type { Services } from '../services.ts';
import { findNamedSite } from '../sites/resolve-site.ts';
import type { Site } from '../sites/sites-store.ts';

/** Returns the rules for a new password at a site. No user is looked up, so the response does not reveal who exists. */
export function createPasswordPolicy({ database, blocklist }: Pick<Services, 'database' | 'blocklist'>) {
  return async (
    { body }: CallInput<'passwordPolicy'>,
    exchange: Exchange,
  ): Promise<CallAnswer<'passwordPolicy'>> => {
    void blocklist.prepare();
    return describePolicy(policyAt(await findNamedSite(database, body.site, exchange)));
  };
}

export function policyAt(site: Site | undefined): PasswordPolicy {
  return policyOf(
    site && {
      secondFactorRequired: site.asksForSecondFactor,
      passwordPolicy: parseSitePolicy(site.passwordPolicy),
    },
  );
}
