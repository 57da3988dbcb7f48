import { randomBytes, randomInt } from 'node:crypto';

/** The source of all unguessable values. */
export type Random = {
  bytes: (count: number) => Buffer;
  /** `byteCount` random bytes as base64url; default: 32 (256 bits). */
  token: (byteCount?: number) => string;
  /** `length` uniformly random decimal digits, including leading zeros. */
  digits: (length: number) => string;
};

/** The form of a default `token()`. This service issued no value of another form, so such a value needs no query. */
export const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

export const secureRandom: Random = {
  bytes: (count) => randomBytes(count),
  token: (byteCount = 32) => randomBytes(byteCount).toString('base64url'),
  digits: (length) => Array.from({ length }, () => randomInt(10)).join(''),
};
