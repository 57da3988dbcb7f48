import { countsWhereAccepted } from './factor.ts';
import type { Factor } from './factor.ts';

/** A passkey with user verification, which replaces the password and the second factor (decision 059). */
export const passkey: Factor = {
  name: 'passkey',
  countsAs: 'passkey',
  proof: 'passkey',
  method: 'user',
  alsoAmr: ['mfa'],
  strength: 'alone',
  // Pages that know only `passkeys` offer one before the password, and cannot ask for it afterwards.
  extension: 'factors',
  isOf: ({ hasPasskey }) => hasPasskey,
  countsAt: countsWhereAccepted('passkey'),
  isAcceptedByDefault: true,
  hint: () => undefined,
  purpose: undefined,
  // A passkey opens every site that accepts it, so no site of the user may ask for more than the password.
  mayBeAddedByPassword: ({ asksForSecondFactor }) => !asksForSecondFactor,
};
