import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { secureRandom } from './random.ts';
import { seal, unseal } from './sealed.ts';

const newKey = () => createSecretKey(randomBytes(32));

test('an encrypted secret can be decrypted only with the same key and context', () => {
  const key = newKey();
  const sealed = seal([key], 'a client secret', 'connection one', secureRandom);
  expect(sealed).not.toContain('secret');
  expect(unseal([key], sealed, 'connection one')).toBe('a client secret');
  expect(unseal([key], sealed, 'connection two')).toBeUndefined();
  expect(unseal([newKey()], sealed, 'connection one')).toBeUndefined();
});

test('an older key still decrypts secrets that it encrypted', () => {
  const [older, present] = [newKey(), newKey()];
  const sealed = seal([older], 'a client secret', 'c', secureRandom);
  expect(unseal([present, older], sealed, 'c')).toBe('a client secret');
});

test('altered or truncated data cannot be decrypted', () => {
  const key = newKey();
  const sealed = seal([key], 'a client secret', 'c', secureRandom);
  const altered = `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`;
  expect(unseal([key], altered, 'c')).toBeUndefined();
  expect(unseal([key], sealed.slice(0, 20), 'c')).toBeUndefined();
});
