import type { Factor } from './factor.ts';

/** `d…r@demo.example`: the user recognises the address, and others do not learn it. */
function mask(address: string): string {
  const at = address.lastIndexOf('@');
  const name = Array.from(address.slice(0, at));
  return `${name[0] ?? ''}…${name.length > 2 ? name.at(-1) : ''}${address.slice(at)}`;
}

/**
 * A code by e-mail. It is weaker than all others, because the mailbox may be open on the same computer, so it counts only
 * at sites that list it, reaches no `acr` of several factors, and proves nothing on the account page (NIST SP 800-63B-4,
 * 3.1.3.1 does not accept e-mail as a separate channel).
 */
export const email: Factor = {
  name: 'email',
  countsAs: 'email',
  proof: 'email-code',
  method: 'email',
  alsoAmr: [],
  strength: 'weak',
  extension: 'factors',
  isOf: ({ verifiedEmail }) => verifiedEmail !== undefined,
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
};
