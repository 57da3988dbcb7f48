import type { CallName } from '@anteroom/contract';
import type { RecoveryCallName } from '@anteroom/contract/recovery';
import type { Services } from './services.ts';

type AnyCallName = CallName | RecoveryCallName;

/** Each of these costs a password hash, which is what there is least of. */
const callsThatHash: ReadonlySet<string> = new Set<AnyCallName>([
  'authenticate',
  'passwordReset',
  'setNewPassword',
]);
/** With these a password can be guessed; an address that has to wait is sent away at the door. */
const callsThatGuess: ReadonlySet<string> = new Set<AnyCallName>(['authenticate', 'passwordReset']);

/**
 * The door: what cannot be served at present is refused before its body is read and before it costs a statement, so that
 * a flood of sign-ins leaves everything else its time (attacks and faults, S66).
 */
export function createAdmission({ limits, passwords }: Services) {
  return (call: string, address: string): (() => void) | undefined => {
    if (callsThatGuess.has(call)) limits.requireNotHeld('password', address);
    return callsThatHash.has(call) ? passwords.admit() : undefined;
  };
}
