import { codeOfStep, stepAt } from '@anteroom/identity/second-factor/totp';

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app shows at a moment; its key is in base 32. */
export function authenticatorCode(key: string, at: Date): string {
  const bits = Array.from(key, (letter) => base32Alphabet.indexOf(letter).toString(2).padStart(5, '0')).join(
    '',
  );
  return codeOfStep(Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2))), stepAt(at));
}
