import { codeOfStep, fromBase32, stepAt } from '@anteroom/identity/factors/time-based-codes';

/** The code of an authenticator app at a point in time; the key is in base 32. */
export function authenticatorCode(key: string, at: Date): string {
  return codeOfStep(fromBase32(key), stepAt(at));
}
