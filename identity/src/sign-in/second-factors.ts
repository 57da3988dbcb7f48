import type { SecondFactorName, Site } from '../sites/sites-store.ts';
import type { Person } from '../users/users-store.ts';

/** A second factor whose codes the page asks for in its six boxes. */
export type CodeFactor = Exclude<SecondFactorName, 'passkey'>;

/** Whether the factor stands for the second factor at the site. A site that asks for none takes each. */
export function countsAt(site: Site | undefined, factor: SecondFactorName): boolean {
  return site?.asksForSecondFactor !== true || site.secondFactors.includes(factor);
}

/** What the user has set up that counts at the site, the strongest first. */
export function listCodeFactors(
  { secondFactor, phoneNumber }: Pick<Person, 'secondFactor' | 'phoneNumber'>,
  site: Site | undefined,
): CodeFactor[] {
  const own: CodeFactor[] = [];
  if (secondFactor === 'totp') own.push('totp');
  if (phoneNumber !== undefined) own.push('sms');
  return own.filter((factor) => countsAt(site, factor));
}

/** The one that is asked for first: the strongest that the page can ask for. */
export function findAskedFactor(factors: readonly CodeFactor[], knowsApps: boolean): CodeFactor | undefined {
  return factors.find((factor) => factor === 'sms' || knowsApps);
}
