import { randomBytes, randomInt } from 'node:crypto';

/** Where everything unguessable comes from. */
export type Random = {
  bytes: (count: number) => Buffer;
  /** base64url text of `byteCount` random bytes; 32 of them by default (256 bits). */
  token: (byteCount?: number) => string;
  /** `length` decimal digits, each equally likely, zeros in front kept. */
  digits: (length: number) => string;
};

export const secureRandom: Random = {
  bytes: (count) => randomBytes(count),
  token: (byteCount = 32) => randomBytes(byteCount).toString('base64url'),
  digits: (length) => Array.from({ length }, () => randomInt(10)).join(''),
};
