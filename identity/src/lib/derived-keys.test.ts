import { createPublicKey, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeSigningKey } from '../../testing/signatures.ts';
import { findDerivedKey, findSigner, withDerivedKeys } from './derived-keys.ts';
import { parseSigningKeys } from './signing-keys.ts';

/** A key with a known derived. Its 512 bits are weak, but it protects nothing. */
const known = {
  kty: 'RSA',
  n: 'y_H1qgcgevlYmJTsPKV1_oa1dTsS3bR8nTrqnF8mVGXaH2GfMovC1kNq5qyzhRQbRtz1C7yRd1zlfg5yyu2HDw',
  e: 'AQAB',
  d: 'RAH1Z7Nks10-m_LdLAQI6s1E6Ui_q8qp20xwO6DHCVEtHWKbZ_2jYMtqZR5vY8ZZAJCuT_EC-IK5ZNJ8D8040Q',
  p: '5IxX4CC8AKXa2qeLNVh7ywu8xV016U3yMqj6ObbSevs',
  q: '5HEYBz6wEU0TRVcikIoZmsTRJxOIbT7VcEcy_00dZ_0',
  dp: 'yykaQGi41laYqj-_FmeWe5Ludf76mm6oenINJNqoVZs',
  dq: 'oTzV2d88RKnjLTEIW36t_dhnS650v6721Y3bh-k1FT0',
  qi: 'LwSnbjePdpKVX0Y47b1Ozq-ZIJAVmdmlaGjJB3Q1yFM',
  kid: 'known',
  use: 'sig' as const,
  alg: 'RS256',
};

// Nodes of two releases must publish the same key. Another implementation computed the expected id.
test('the ES256 key beside an RSA key is the same in every release', () => {
  expect(findDerivedKey(known)?.kid).toBe('89d42e296a2850ba');
});

test('the ES256 key depends on the RSA key and its id, not on how the setting writes the RSA key', () => {
  const { d, ...others } = known;
  const zeros = Buffer.concat([Buffer.alloc(1), Buffer.from(d, 'base64url')]).toString('base64url');
  expect(findDerivedKey({ d: zeros, ...others })).toEqual(findDerivedKey(known));
  expect(findDerivedKey({ ...known, kid: 'other' })?.kid).not.toBe(findDerivedKey(known)?.kid);
  expect(findDerivedKey(makeSigningKey('known', 'RS256'))?.kid).not.toBe(findDerivedKey(known)?.kid);
});

test('the ES256 key signs, and its public half verifies', () => {
  for (const _ of Array.from({ length: 5 })) {
    const derived = findDerivedKey(makeSigningKey('any', 'RS256'));
    const [key] = parseSigningKeys(JSON.stringify({ keys: [derived] }))?.keys ?? [];
    if (key === undefined) throw new Error('The service does not take the key');
    const { d: _private, ...published } = key;
    const data = Buffer.from('signed');
    const signature = sign('sha256', data, { key, format: 'jwk' });
    expect(verify('sha256', data, createPublicKey({ key: published, format: 'jwk' }), signature)).toBe(true);
  }
});

test('keys of other kinds have no ES256 key beside them', () => {
  const ec = makeSigningKey('ec');
  expect(withDerivedKeys([ec, known]).map(({ kid, alg }) => [kid, alg])).toEqual([
    ['ec', 'ES256'],
    ['known', 'RS256'],
    [findDerivedKey(known)?.kid, 'ES256'],
  ]);
});

test('only the key in use and the key beside it sign', () => {
  const ec = makeSigningKey('ec');
  expect(findSigner('ES256', [known, ec])?.kid).toBe(findDerivedKey(known)?.kid);
  expect(findSigner('RS256', [known, ec])?.kid).toBe('known');
  expect(findSigner('ES256', [ec, known])?.kid).toBe('ec');
  expect(findSigner('RS256', [ec, known])).toBeUndefined();
  expect(findSigner('EdDSA', [known])).toBeUndefined();
});
