import type { CallName } from '@anteroom/contract';
import type { RecoveryCallName } from '@anteroom/contract/recovery';
import type { Exchange } from './http/exchange.ts';
import type { SignInServices } from './sign-in/sign-in-services.ts';

type AnyCallName = CallName | RecoveryCallName;

/** Each of these costs a password hash, which is what there is least of. */
const callsThatHash: ReadonlySet<string> = new Set<AnyCallName>([
  'authenticate',
  'passwordReset',
  'setNewPassword',
]);
/** Passwords can be guessed with these; an address that has to wait is refused before the body is read. */
const callsThatGuess: ReadonlySet<string> = new Set<AnyCallName>(['authenticate', 'passwordReset']);

/**
 * Refuses what cannot be served at present before its body is read and before it costs a statement, so that a flood of sign-ins leaves
 * everything else its time (attacks and faults, S66). The user is not known yet: a browser that any user has signed in with goes on to
 * the limits, which exempt it for its own users alone (S34).
 */
export function createAdmission({
  limits,
  passwords,
  knownBrowsers,
}: Pick<SignInServices, 'limits' | 'passwords' | 'knownBrowsers'>) {
  return (call: string, visit: Pick<Exchange, 'address' | 'raw'>): (() => void) | undefined => {
    if (callsThatGuess.has(call) && knownBrowsers.findIssuedSecret(visit) === undefined)
      limits.requireNotHeld('password', visit.address);
    return callsThatHash.has(call) ? passwords.admit() : undefined;
  };
}
