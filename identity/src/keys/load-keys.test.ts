import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { addUser } from '../../testing/add-user.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { makeSigningKey } from '../../testing/signatures.ts';
import { parseConfig } from '../config/config.ts';
import { systemClock } from '../lib/clock.ts';
import { secureRandom } from '../lib/random.ts';
import { loadKeys, loadKeysForCommand } from './load-keys.ts';

const needed = { random: secureRandom, clock: systemClock };

describeStore('keys', (store) => {
  test('are created once if they are not configured, even by several nodes that start together', async () => {
    const { database } = store();
    const config = parseConfig({});
    const together = await Promise.all([1, 2, 3].map(() => loadKeys(config, database, needed)));
    const later = await loadKeys(config, database, needed);
    for (const { sessionIds, signing } of together) {
      expect(sessionIds[0].equals(later.sessionIds[0])).toBe(true);
      expect(signing).toEqual(later.signing);
    }
    expect(later.signing.keys).toMatchObject([{ kty: 'RSA', alg: 'RS256', use: 'sig' }]);
  });

  test('are different for each purpose', async () => {
    const keys = await loadKeys(parseConfig({}), store().database, needed);
    const all = [keys.sessionIds, keys.antiForgery, keys.limits, keys.oneTimeSecrets].map(([key]) =>
      key.export().toString('hex'),
    );
    expect(new Set([...all, ...keys.providerCookies]).size).toBe(all.length + 1);
    expect(keys.sessionIds[0].symmetricKeySize).toBe(32);
  });

  test('are never created in production', async () => {
    const config = { production: true, regions: undefined, secrets: undefined, signing: undefined };
    await expect(loadKeys(config, store().database, needed)).rejects.toThrow('never made up');
  });

  test('are refused for a production database if they are development keys or differ from the keys in use', async () => {
    const { database } = store();
    await database.deleteFrom('settings').execute();
    await database.deleteFrom('keys_in_use').execute();
    const { secrets, signing } = parseConfig({
      SECRETS: randomBytes(32).toString('base64url'),
      SIGNING_JWKS: JSON.stringify({ keys: [makeSigningKey('production')] }),
    });
    const production = { production: true, regions: undefined, secrets, signing };
    await loadKeys(production, database, needed);
    for (const load of [loadKeys, loadKeysForCommand])
      await expect(load(parseConfig({}), database, needed)).rejects.toThrow('keys of its own');
    const other = parseConfig({ SECRETS: randomBytes(32).toString('base64url') });
    await expect(loadKeys({ ...production, secrets: other.secrets }, database, needed)).rejects.toThrow(
      'SECRETS: the key that this database uses',
    );
    expect(await database.selectFrom('settings').selectAll().execute()).toEqual([]);
  });

  test('are refused for a database of a release that did not record its keys, if they are development keys', async () => {
    const { database } = store();
    await database.deleteFrom('keys_in_use').execute();
    const userId = await addUser(database, new Date());
    await database
      .insertInto('credentials')
      .values({ user_id: userId, password_hash: 'none', changed_at: new Date() })
      .execute();
    await expect(loadKeysForCommand(parseConfig({}), database, needed)).rejects.toThrow('keys of its own');
  });
});
