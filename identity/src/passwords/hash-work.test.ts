import { parseOptions as parseArgon2 } from '@node-rs/argon2';
import { parseOptions as parseBcrypt } from '@node-rs/bcrypt';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decoysBeside, isHashOf, kindOf } from './hash-work.ts';

const bytes = { sha1: 20, sha256: 32, sha512: 64 };

const kinds = fc.oneof(
  fc.integer({ min: 4, max: 14 }).map((cost) => `$bcrypt$r=${cost}`),
  fc
    .record({
      digest: fc.constantFrom('sha1', 'sha256', 'sha512'),
      i: fc.integer({ min: 1, max: 2_000_000 }),
      l: fc.constantFrom(16, 20, 32, 64),
    })
    .map(({ digest, i, l }) => `$pbkdf2-${digest}$i=${i},l=${l}`),
  fc.constantFrom('$ssha-sha1', '$ssha-sha256'),
  fc.constantFrom('$argon2id$v=19$m=64,t=1,p=2', '$argon2i$v=19$m=64,t=3,p=1'),
);

/**
 * Adds up the work of hashes: bcrypt rounds, PBKDF2 iterations times blocks, and for other kinds the number of hashes.
 */
function workOf(hashes: readonly string[]): Record<string, number> {
  const work: Record<string, number> = {};
  for (const hash of hashes) {
    const kind = kindOf(hash);
    const [, digest, i, l] = /^\$pbkdf2-(\w+)\$i=(\d+),l=(\d+)$/.exec(kind) ?? [];
    const [, r] = /^\$bcrypt\$r=(\d+)$/.exec(kind) ?? [];
    const name = digest ?? (r === undefined ? kind : 'bcrypt');
    const blocks = Math.ceil(Number(l) / (bytes[digest as keyof typeof bytes] ?? 1));
    const units = r === undefined ? (digest === undefined ? 1 : Number(i) * blocks) : 2 ** Number(r);
    work[name] = (work[name] ?? 0) + units;
  }
  return work;
}

test('the total work with decoys is the same for every stored hash and for a user without a hash [S27]', () => {
  fc.assert(
    fc.property(fc.array(kinds, { minLength: 1, maxLength: 12 }), (stored) => {
      const ofNobody = workOf(decoysBeside(undefined, stored));
      for (const kind of stored) {
        const hash = `${kind}$c2FsdA$a2V5`;
        expect(workOf([hash, ...decoysBeside(hash, stored)])).toEqual(ofNobody);
      }
    }),
  );
});

test('there are no decoys if all stored hashes have the current parameters', () => {
  expect(decoysBeside(undefined, [])).toEqual([]);
});

test('an invalid hash in one row causes no work for other users', () => {
  expect(decoysBeside(undefined, ['x', '', '$bcrypt', '$argon2id$x', '$pbkdf2-sha256$i=x'])).toEqual([]);
});

test('a hash of a kind that is not yet in the cache adds its own work', () => {
  const hash = '$bcrypt$r=6$c2FsdA$a2V5';
  expect(decoysBeside(hash, ['$bcrypt$r=5'])).toEqual([]);
  expect(workOf(decoysBeside(hash, ['$bcrypt$r=7', '$ssha-sha1']))).toEqual({ bcrypt: 64, '$ssha-sha1': 1 });
});

test('the libraries accept decoys as hashes and compute them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(kinds, { minLength: 1, maxLength: 4 }), async (stored) => {
      for (const decoy of decoysBeside(undefined, stored)) {
        const [, algorithm = '', cost = '', salt = '', key = ''] = decoy.split('$');
        if (algorithm === 'bcrypt')
          expect(parseBcrypt(`$2b$${cost.slice(2).padStart(2, '0')}$${salt}${key}`).cost).toBe(
            Number(cost.slice(2)),
          );
        else if (algorithm.startsWith('argon2')) expect(parseArgon2(decoy).memoryCost).toBe(64);
        else if (!algorithm.startsWith('pbkdf2')) expect(await isHashOf(decoy, '')).toBe(false);
      }
    }),
  );
});
