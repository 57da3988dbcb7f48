import type { Extension } from '@anteroom/contract';
import { secondFactorNames } from '@anteroom/contract/factors';
import type { SecondFactorName } from '@anteroom/contract/factors';
import { email } from './email.ts';
import type { Factor, FactorName, FactorOwner, FactorPolicy } from './factor.ts';
import { passkey } from './passkey.ts';
import { recoveryCode } from './recovery-code.ts';
import { sms } from './sms.ts';
import { totp } from './totp.ts';

// docs/decisions/059-factors-and-proofs-of-an-account.md

/** Every second factor of the service. */
export const factors: Readonly<Record<FactorName, Factor>> = {
  totp,
  sms,
  passkey,
  email,
  'recovery-code': recoveryCode,
};

const inOrder: readonly Factor[] = [...secondFactorNames, 'recovery-code' as const].map(
  (name) => factors[name],
);

/** Whether the page knows an extension. */
export type Knows = (extension: Extension) => boolean;

const canAsk = ({ extension }: Factor, knows: Knows): boolean => extension === undefined || knows(extension);

/** The factors that the user has and the site accepts, in the order in which a sign-in asks for them. */
export function listFactors(owner: FactorOwner, policy: FactorPolicy | undefined): Factor[] {
  return inOrder.filter((factor) => factor.isOf(owner) && factor.countsAt(policy));
}

/** Of these factors, those that the page can ask for. */
export function listAskable(owner: FactorOwner, policy: FactorPolicy | undefined, knows: Knows): Factor[] {
  return listFactors(owner, policy).filter((factor) => canAsk(factor, knows));
}

/** Whether the user has set up a factor, which then protects the account wherever it is used. */
export function hasOwnFactor(owner: FactorOwner): boolean {
  return listFactors(owner, undefined).length > 0;
}

/**
 * Whether the user may add the factor now: after proving an own factor, or with the password alone if the user has none
 * and every site of the user allows that.
 */
export function mayAdd(
  { mayBeAddedByPassword }: Factor,
  { owner, hasProvedFactor, sites }: AddingUser,
): boolean {
  if (mayBeAddedByPassword === undefined) return false;
  return hasProvedFactor || (!hasOwnFactor(owner) && sites.every(mayBeAddedByPassword));
}

/** `sites`: the sites of the user that require a second factor, now or later. */
export type AddingUser = { owner: FactorOwner; hasProvedFactor: boolean; sites: readonly FactorPolicy[] };

/** The factor that the user can add on the account page to meet the site's requirement. */
export function findAddable(
  policy: FactorPolicy,
  owner: FactorOwner,
  sites: readonly FactorPolicy[],
): Factor | undefined {
  const user = { owner, hasProvedFactor: hasOwnFactor(owner), sites };
  return inOrder.find((factor) => factor.countsAt(policy) && mayAdd(factor, user));
}

/** Whether the user without a factor sets this one up during the sign-in at the site. */
export function findAddedDuringSignIn(
  owner: FactorOwner,
  policy: FactorPolicy | undefined,
  knows: Knows,
): Factor | undefined {
  if (policy === undefined || hasOwnFactor(owner)) return undefined;
  return inOrder.find(
    (factor) =>
      factor.mayBeAddedDuringSignIn?.(policy) === true && factor.countsAt(policy) && canAsk(factor, knows),
  );
}

/** The factors among the methods of a session. */
export function listShown(methods: readonly { method: string }[]): Factor[] {
  return secondFactorNames
    .map((name) => factors[name])
    .filter((factor) => methods.some(({ method }) => method === factor.method));
}

/** A user in a session, on a page: what the user has, has shown in the session, and can be asked for. */
export type FactorUser = { owner: FactorOwner; methods: readonly { method: string }[]; knows: Knows };

/** Whether the methods include a factor that the site accepts. */
export function hasCounted(methods: FactorUser['methods'], policy: FactorPolicy | undefined): boolean {
  return listShown(methods).some((factor) => factor.countsAt(policy));
}

/** Whether the user meets the site's requirement: the page can ask for an accepted factor, or the session has shown one. */
export function meetsRequirement(policy: FactorPolicy, { owner, methods, knows }: FactorUser): boolean {
  if (!policy.asksForSecondFactor) return true;
  return hasCounted(methods, policy) || listAskable(owner, policy, knows).length > 0;
}

/** Reads the stored list of factors that a site accepts; null stands for all that need no consent of the site. */
export function parseAccepted(stored: string | null): readonly SecondFactorName[] {
  const named = stored?.split(',');
  return secondFactorNames.filter((name) => named?.includes(name) ?? factors[name].isAcceptedByDefault);
}

/** Writes the list, which is null if it has the same effect as no list. */
export function formatAccepted(names: readonly string[]): string | null {
  const accepted = secondFactorNames.filter((name) => names.includes(name));
  return accepted.join() === parseAccepted(null).join() ? null : accepted.join(',');
}
