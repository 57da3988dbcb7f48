import type { AuthenticationMethod } from './session.ts';

type Context = { acr: string; factors: readonly (readonly AuthenticationMethod[])[] };

/** The `acr` that requires a second factor. */
export const secondFactorAcr = 'https://refeds.org/profile/mfa';

/**
 * Authentication contexts (`acr`), the strongest first, with the combinations of methods (`amr`, RFC 8176) that reach
 * them. The names are those of REFEDS. A federated sign-in alone reaches no context, because the service does not know
 * which factors the identity provider required. When you add an authentication method, add its combinations here.
 */
const contexts: readonly Context[] = [
  {
    acr: secondFactorAcr,
    factors: [
      ['pwd', 'sms'],
      ['pwd', 'otp'],
      ['fed', 'sms'],
      ['fed', 'otp'],
      // Passkeys with user verification.
      ['hwk', 'user'],
      ['swk', 'user'],
    ],
  },
  { acr: 'https://refeds.org/profile/sfa', factors: [['pwd']] },
];

/** Whether a passkey with user verification was used, which replaces the password and the second factor. */
export function hasPasskey(methods: readonly AuthenticationMethod[]): boolean {
  return methods.includes('user');
}

/** The values that a client can request with `acr_values`. */
export const acrValues: readonly string[] = contexts.map(({ acr }) => acr);

/** The strongest context that the methods reach. */
export function findAcr(methods: readonly AuthenticationMethod[]): string | undefined {
  const reached = contexts.find(({ factors }) =>
    factors.some((combination) => combination.every((method) => methods.includes(method))),
  );
  return reached?.acr;
}

/** Whether a context is the requested one or a stronger one. */
export function reachesAcr(acr: string | undefined, requested: string): boolean {
  const rank = acrValues.indexOf(requested);
  return acr !== undefined && rank >= 0 && acrValues.indexOf(acr) <= rank && acrValues.includes(acr);
}
