import type { SecondFactorName, Site } from './sites-store.ts';

/** A second factor with six-digit codes. */
export type CodeFactor = Exclude<SecondFactorName, 'passkey'>;

/** The user's second factors with codes. */
export type CodeFactors = { secondFactor: CodeFactor | undefined; phoneNumber: string | undefined };

/** `shown` lists the second factors that the session has used, in this region or in the region that handed it over. */
export type UserFactors = CodeFactors & { shown: readonly SecondFactorName[] };

type FactorPolicy = Pick<Site, 'asksForSecondFactor' | 'secondFactors'>;

/** Whether the site accepts the factor. A site that does not require a second factor accepts all factors. */
export function countsAt(site: FactorPolicy | undefined, factor: SecondFactorName): boolean {
  return site?.asksForSecondFactor !== true || site.secondFactors.includes(factor);
}

/** The user's factors with codes that the site accepts, strongest first. */
export function listCodeFactors(
  { secondFactor, phoneNumber }: CodeFactors,
  site: FactorPolicy | undefined,
): CodeFactor[] {
  const own: CodeFactor[] = [];
  if (secondFactor === 'totp') own.push('totp');
  if (phoneNumber !== undefined) own.push('sms');
  return own.filter((factor) => countsAt(site, factor));
}

/** The factor to ask for: the strongest that the page supports. */
export function findAskedFactor(factors: readonly CodeFactor[], knowsApps: boolean): CodeFactor | undefined {
  return factors.find((factor) => factor === 'sms' || knowsApps);
}

/**
 * Whether the user meets the site's requirement: the page can ask for a code of an accepted factor, or this session has
 * already used one. A passkey counts only if the session used it, because the page cannot ask for it later.
 */
export function meetsSecondFactor(site: FactorPolicy, user: UserFactors): boolean {
  if (!site.asksForSecondFactor) return true;
  return listCodeFactors(user, site).length > 0 || user.shown.some((factor) => countsAt(site, factor));
}
