import { expect, test } from 'vitest';
import { describeStore } from '../testing/describe-store.ts';
import { parseConfig } from './config.ts';
import { secureRandom } from './lib/random.ts';
import { loadKeys } from './load-keys.ts';

describeStore('keys', (store) => {
  test('that are not configured are made once, also when several nodes start together, and stay', async () => {
    const { database } = store();
    const config = parseConfig({});
    const together = await Promise.all([1, 2, 3].map(() => loadKeys(config, database, secureRandom)));
    const later = await loadKeys(config, database, secureRandom);
    for (const { sessionIds, signing } of together) {
      expect(sessionIds[0].equals(later.sessionIds[0])).toBe(true);
      expect(signing).toEqual(later.signing);
    }
    expect(later.signing.keys).toMatchObject([{ kty: 'RSA', alg: 'RS256', use: 'sig' }]);
  });

  test('each purpose has a key of its own', async () => {
    const keys = await loadKeys(parseConfig({}), store().database, secureRandom);
    const all = [keys.sessionIds, keys.antiForgery, keys.limits, keys.oneTimeSecrets].map(([key]) =>
      key.export().toString('hex'),
    );
    expect(new Set([...all, ...keys.providerCookies]).size).toBe(all.length + 1);
    expect(keys.sessionIds[0].symmetricKeySize).toBe(32);
  });

  test('are never made up in production', async () => {
    const config = { production: true, regions: undefined, secrets: undefined, signing: undefined };
    await expect(loadKeys(config, store().database, secureRandom)).rejects.toThrow('never made up');
  });
});
