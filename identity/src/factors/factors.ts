import type { Extension } from '@anteroom/contract';
import { secondFactorNames } from '@anteroom/contract/factors';
import type { SecondFactorName } from '@anteroom/contract/factors';
import { ContractError } from '../http/errors.ts';
import type { Factor, FactorName, FactorOwner, FactorPolicy } from './factor.ts';
import { isDialable, phoneNumberSuffix, rangeOf } from './phone-number.ts';

// docs/decisions/059-factors-and-proofs-of-an-account.md

/** A site that does not require a second factor accepts every factor that the user has set up. */
const countsWhereAccepted =
  (name: SecondFactorName): Factor['countsAt'] =>
  (policy) =>
    policy?.asksForSecondFactor !== true || policy.secondFactors.includes(name);

/** The password may be stolen, so it adds a factor only where no site relies on the factor, or the site says so. */
const whereAppsAreAllowed = (policy: FactorPolicy): boolean =>
  !policy.asksForSecondFactor || policy.allowsAuthenticatorApps;

const suffixOf = ({ phoneNumber }: FactorOwner): string | undefined =>
  phoneNumber === undefined ? undefined : phoneNumberSuffix(phoneNumber);

/** `d…r@demo.example`: the user recognises the address, and others do not learn it. */
function mask(address: string): string {
  const at = address.lastIndexOf('@');
  const name = Array.from(address.slice(0, at));
  return `${name[0] ?? ''}…${name.length > 2 ? name.at(-1) : ''}${address.slice(at)}`;
}

/** The code of an authenticator app (RFC 6238). */
const totp: Factor = {
  name: 'totp',
  countsAs: 'totp',
  proof: 'authenticator-code',
  method: 'otp',
  alsoAmr: ['mfa'],
  strength: 'with another',
  extension: 'totp',
  isOf: ({ hasApp }) => hasApp,
  without: (owner) => ({ ...owner, hasApp: false }),
  countsAt: countsWhereAccepted('totp'),
  isAcceptedByDefault: true,
  hint: () => undefined,
  purpose: 'authenticator-app',
  async check({ codes, apps }, { uid: boundTo, ...account }, code) {
    const hasTries = await codes.countTry({ ...account, boundTo, purpose: 'authenticator-app' });
    return { check: hasTries ? await apps.checkCode(account.userId, code) : 'exhausted' };
  },
  mayBeAddedByPassword: whereAppsAreAllowed,
  mayBeAddedDuringSignIn: ({ asksForSecondFactor, allowsAuthenticatorApps }) =>
    asksForSecondFactor && allowsAuthenticatorApps,
};

/** Every second factor of the service. */
export const factors: Readonly<Record<FactorName, Factor>> = {
  totp,
  /** A code by text message. */
  sms: {
    name: 'sms',
    countsAs: 'sms',
    proof: 'sms-code',
    method: 'sms',
    alsoAmr: [],
    strength: 'with another',
    extension: undefined,
    isOf: ({ phoneNumber }) => phoneNumber !== undefined,
    without: (owner) => ({ ...owner, phoneNumber: undefined }),
    countsAt: countsWhereAccepted('sms'),
    isAcceptedByDefault: true,
    hint: suffixOf,
    contractSuffix: suffixOf,
    message: {
      counts: 'phone number',
      addressOf: ({ phoneNumber }) => phoneNumber,
      requireReachable({ numberPrefixes }, { userId, log }, phoneNumber) {
        const isAllowed =
          numberPrefixes.length === 0 || numberPrefixes.some((prefix) => phoneNumber.startsWith(prefix));
        if (isDialable(phoneNumber) && isAllowed) return;
        log.warn({ userId, isAllowed }, 'no code can be sent to this phone number');
        throw new ContractError('mfa_invalid_phone_number', {
          detail: 'the number must be dialable and begin with an allowed prefix',
        });
      },
      rangeOf,
      deliver: ({ sendSms }, message) => sendSms(message),
    },
    purpose: 'sign-in',
    mayBeAddedByPassword: whereAppsAreAllowed,
  },
  /** A passkey with user verification, which replaces the password and the second factor (decision 059). */
  passkey: {
    name: 'passkey',
    countsAs: 'passkey',
    proof: 'passkey',
    method: 'user',
    alsoAmr: ['mfa'],
    strength: 'alone',
    // Pages that know only `passkeys` offer one before the password, and cannot ask for it afterwards.
    extension: 'factors',
    isOf: ({ hasPasskey }) => hasPasskey,
    without: (owner) => ({ ...owner, hasPasskey: false }),
    countsAt: countsWhereAccepted('passkey'),
    isAcceptedByDefault: true,
    hint: () => undefined,
    purpose: undefined,
    // A passkey opens every site that accepts it, so no site of the user may ask for more than the password.
    mayBeAddedByPassword: ({ asksForSecondFactor }) => !asksForSecondFactor,
  },
  /**
   * A code by e-mail. It is weaker than all others, because the mailbox may be open on the same computer, so it counts only
   * at sites that list it, reaches no `acr` of several factors, and proves nothing on the account page (NIST SP 800-63B-4,
   * 3.1.3.1 does not accept e-mail as a separate channel).
   */
  email: {
    name: 'email',
    countsAs: 'email',
    proof: 'email-code',
    method: 'email',
    alsoAmr: [],
    strength: 'weak',
    extension: 'factors',
    isOf: ({ verifiedEmail }) => verifiedEmail !== undefined,
    without: (owner) => ({ ...owner, verifiedEmail: undefined }),
    countsAt: (policy) => policy?.asksForSecondFactor === true && policy.secondFactors.includes('email'),
    isAcceptedByDefault: false,
    hint: ({ verifiedEmail }) => verifiedEmail && mask(verifiedEmail),
    message: {
      counts: 'e-mail address',
      addressOf: ({ verifiedEmail }) => verifiedEmail,
      requireReachable: () => undefined,
      rangeOf: undefined,
      deliver: ({ sendMail }, message) => sendMail(message),
    },
    purpose: 'e-mail',
  },
  /** A recovery code, which replaces the authenticator app once. It shares the app's attempts, and counts where the app counts. */
  'recovery-code': {
    ...totp,
    mayBeAddedByPassword: undefined,
    mayBeAddedDuringSignIn: undefined,
    name: 'recovery-code',
    hasLongCodes: true,
    async check({ codes, apps }, { uid: boundTo, ...account }, code) {
      if (!(await codes.countTry({ ...account, boundTo, purpose: 'authenticator-app' })))
        return { check: 'exhausted' };
      const recoveryCodesLeft = await apps.spendRecoveryCode(account.userId, code);
      return { check: recoveryCodesLeft === undefined ? 'wrong' : 'right', recoveryCodesLeft };
    },
  },
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

/** Whether each of these sites accepts one of the user's factors, now or from its later day on. */
export function meetsAll(owner: FactorOwner, sites: readonly FactorPolicy[]): boolean {
  return sites.every((site) => listFactors(owner, { ...site, asksForSecondFactor: true }).length > 0);
}

/** The factors whose removal would leave one of these sites without a factor that it accepts. */
export function listNeeded(owner: FactorOwner, sites: readonly FactorPolicy[]): SecondFactorName[] {
  return secondFactorNames.filter(
    (name) => factors[name].isOf(owner) && !meetsAll(factors[name].without(owner), sites),
  );
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
