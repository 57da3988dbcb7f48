import { countsWhereAccepted, whereAppsAreAllowed } from './factor.ts';
import type { Factor } from './factor.ts';

/** The code of an authenticator app (RFC 6238). */
export const totp: Factor = {
  name: 'totp',
  countsAs: 'totp',
  proof: 'authenticator-code',
  method: 'otp',
  alsoAmr: ['mfa'],
  strength: 'with another',
  extension: 'totp',
  isOf: ({ hasApp }) => hasApp,
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
