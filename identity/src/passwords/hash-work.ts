import { createHash, pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { verify as verifyArgon2 } from '@node-rs/argon2';
import { verify as verifyBcrypt } from '@node-rs/bcrypt';

// Stored password hashes: `$algorithm$cost$salt$key`. The part before the salt and the key is the kind of a hash.

const derive = promisify(pbkdf2);

export const digestLengths: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 };

/** `$argon2id$v=19$m=19456,t=2,p=1`, `$bcrypt$r=12`: all hashes of a kind cost the same. */
export function kindOf(storedHash: string): string {
  return storedHash.replace(/\$[^$]*\$[^$]*$/, '');
}

/** The parameter `name` of a kind; 0 if absent. */
export function costOf(kind: string, name: string): number {
  return Number(new RegExp(`[$,]${name}=(\\d+)`).exec(kind)?.[1] ?? 0);
}

function algorithmOf(kind: string): string {
  return kind.split('$')[1] ?? '';
}

/** Verifies a password. Runs natively on the thread pool, except for salted digests, which take microseconds. */
export async function isHashOf(storedHash: string, password: string): Promise<boolean> {
  const kind = kindOf(storedHash);
  const algorithm = algorithmOf(kind);
  const [salt = '', key = ''] = storedHash.slice(kind.length + 1).split('$');
  if (algorithm === 'bcrypt')
    return await verifyBcrypt(password, `$2b$${String(costOf(kind, 'r')).padStart(2, '0')}$${salt}${key}`);
  const { scheme, digest } = splitDigest(algorithm);
  if (scheme === undefined) return await verifyArgon2(storedHash, password);
  const [saltBytes, keyBytes] = [Buffer.from(salt, 'base64'), Buffer.from(key, 'base64')];
  const derived =
    scheme === 'pbkdf2'
      ? await derive(password, saltBytes, costOf(kind, 'i'), costOf(kind, 'l'), digest)
      : createHash(digest).update(password).update(saltBytes).digest();
  return derived.length === keyBytes.length && timingSafeEqual(derived, keyBytes);
}

/** Splits `pbkdf2-sha256` or `ssha-sha256` into scheme and digest. */
function splitDigest(algorithm: string): { scheme: string | undefined; digest: string } {
  const [, scheme, digest = ''] = /^(pbkdf2|ssha)-(.+)$/.exec(algorithm) ?? [];
  return { scheme, digest };
}

/**
 * Returns the family of a kind. Kinds of one family differ only in their number of units, and each unit costs the same.
 */
function familyOf(kind: string): string {
  const algorithm = algorithmOf(kind);
  return algorithm === 'bcrypt' || algorithm.startsWith('pbkdf2-') ? `$${algorithm}` : kind;
}

export function unitsOf(kind: string): number {
  const algorithm = algorithmOf(kind);
  if (algorithm === 'bcrypt') return 2 ** costOf(kind, 'r');
  const { scheme, digest } = splitDigest(algorithm);
  // PBKDF2 performs all iterations for each block of the key (RFC 8018, 5.2)
  const blocks = Math.ceil(costOf(kind, 'l') / (digestLengths[digest] ?? 1));
  return scheme === 'pbkdf2' ? costOf(kind, 'i') * blocks : 1;
}

/** Any other text is an invalid hash. The user with that hash cannot sign in, and other users are not affected. */
const knownKind =
  /^\$(?:bcrypt\$r=\d+|pbkdf2-sha\d+\$i=\d+,l=\d+|ssha-sha\d+|argon2(?:id|i|d)(?:\$v=\d+)?\$m=\d+,t=\d+,p=\d+)$/;

/**
 * Decoy hashes to compute in addition to the stored one, so that the work is the same for every user and for unknown
 * users: for each family, the work of its most expensive stored hash (attacks and faults, S27). Their result is
 * ignored.
 */
export function decoysBeside(storedHash: string | undefined, storedKinds: Iterable<string>): string[] {
  const own = storedHash === undefined ? [] : [kindOf(storedHash)];
  const mostUnits = new Map<string, number>();
  for (const kind of [...storedKinds, ...own].filter((one) => knownKind.test(one)))
    mostUnits.set(familyOf(kind), Math.max(unitsOf(kind), mostUnits.get(familyOf(kind)) ?? 0));
  const done = new Map(own.map((kind) => [familyOf(kind), unitsOf(kind)]));
  return [...mostUnits].flatMap(([family, units]) => decoysOf(family, units - (done.get(family) ?? 0)));
}

/** Creates decoys of the family that have `units` units in total. */
function decoysOf(family: string, units: number): string[] {
  if (units === 0) return [];
  if (family === '$bcrypt') {
    // Each cost doubles the work, so the binary digits of the units are the costs: 2^12 − 2^10 = 2^10 + 2^11.
    const costs = Array.from({ length: 32 }, (_, cost) => cost).filter((cost) => (units & (2 ** cost)) !== 0);
    return costs.map((cost) => `$bcrypt$r=${cost}$${'.'.repeat(22)}$${'.'.repeat(31)}`);
  }
  const { scheme, digest } = splitDigest(algorithmOf(family));
  const kind = scheme === 'pbkdf2' ? `${family}$i=${units},l=${digestLengths[digest]}` : family;
  return [`${kind}$${'A'.repeat(22)}$${'A'.repeat(43)}`];
}
