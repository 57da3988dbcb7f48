import type { Call } from '@anteroom/contract';
import type { Exchange } from './http/exchange.ts';
import type { SignInServices } from './sign-in/sign-in-services.ts';

/**
 * Refuses requests under overload before their body is read and before they cost a statement, so that a flood of sign-ins
 * does not slow down other calls (attacks and faults, S66). The user is unknown at this point: a browser known for any
 * user passes on to the limits, which exempt it only for its own users (S34).
 */
export function createAdmission({
  limits,
  passwords,
  knownBrowsers,
}: Pick<SignInServices, 'limits' | 'passwords' | 'knownBrowsers'>) {
  return ({ password }: Call, visit: Pick<Exchange, 'address' | 'raw'>): (() => void) | undefined => {
    if (password === 'checked' && knownBrowsers.findIssuedSecret(visit) === undefined)
      limits.requireNotHeld('password', visit.address);
    return password === undefined ? undefined : passwords.admit();
  };
}
