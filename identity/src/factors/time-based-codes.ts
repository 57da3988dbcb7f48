import { createHmac, timingSafeEqual } from 'node:crypto';

// Time-based one-time passwords (RFC 6238) with the parameters that every authenticator app supports: HMAC-SHA-1, 30 seconds, 6 digits.

const stepSeconds = 30;
const digits = 6;
/** RFC 4226, 4: the length of the shared secret in bytes (160 bits are recommended). */
export const secretBytes = 20;

/** The time step of a point in time. */
export function stepAt(at: Date): number {
  return Math.floor(at.getTime() / 1000 / stepSeconds);
}

/** The code of one time step (RFC 4226, 5.3). */
export function codeOfStep(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 0xf;
  const number = (hash.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/** The step of a code: the current one, or one to either side for clock differences (RFC 6238, 6). */
export function findStep(secret: Buffer, code: string, at: Date): number | undefined {
  const given = Buffer.from(code);
  const present = stepAt(at);
  // Tries the latest step first, because using a step invalidates all earlier ones.
  return [present + 1, present, present - 1].find((step) => {
    const expected = Buffer.from(codeOfStep(secret, step));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Decodes the output of `toBase32`. */
export function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => base32Alphabet.indexOf(letter).toString(2).padStart(5, '0')).join(
    '',
  );
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}

/** Encodes base32 (RFC 4648, 6) without padding. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => base32Alphabet[parseInt(group.padEnd(5, '0'), 2)])
    .join('');
}
