import type { CompanyOpenidProvider } from '../company/openid/company-provider.ts';
import type { CompanySamlProvider } from '../company/saml/saml-provider.ts';
import type { OpenidProvider } from '../provider/provider.ts';
import type { Services } from '../services.ts';
import { createAllowances } from '../limits/allowances.ts';
import type { LastingCookie } from '../http/cookies.ts';
import type { KnownBrowsers } from './known-browser.ts';
import type { RememberedAccounts } from './remembered-accounts.ts';

/** The services that the steps of a sign-in use. */
export type SignInServices = Services & {
  provider: OpenidProvider;
  knownBrowsers: KnownBrowsers;
  /** The cookie of a remembered computer. */
  devices: LastingCookie;
  rememberedAccounts: RememberedAccounts;
  companyProviders: { openid: CompanyOpenidProvider; saml: CompanySamlProvider };
  externalAllowance: ExternalRequestAllowance;
};

const windowSeconds = 10 * 60;

type LimitedKind = 'redirect' | 'invalid response' | 'SAML message' | 'refused hand-over';

/**
 * For each address, limits the requests without a session that store a row or verify a signature. Each kind is counted
 * separately.
 */
type ExternalRequestAllowance = {
  /** Returns undefined if the request is allowed, otherwise the seconds to wait. */
  take: (kind: LimitedKind, exchange: { address: string }) => Promise<number | undefined>;
};

export function createExternalRequestAllowance(
  services: Pick<Services, 'clock' | 'config' | 'database' | 'keys'>,
): ExternalRequestAllowance {
  const allowances = createAllowances({ ...services, keyRing: services.keys.limits });
  const limit = { count: services.config.external.requestsPerTenMinutes, windowSeconds };
  return { take: (kind, { address }) => allowances.take(`external ${kind}`, { address }, limit) };
}
