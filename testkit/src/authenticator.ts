import { codeOfStep, fromBase32, stepAt } from '@anteroom/identity/second-factor/totp';

/** The code that an authenticator app shows at a moment; its key is in base 32. */
export function authenticatorCode(key: string, at: Date): string {
  return codeOfStep(fromBase32(key), stepAt(at));
}
