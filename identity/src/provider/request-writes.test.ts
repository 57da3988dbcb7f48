import { errors } from 'oidc-provider';
import { expect, test } from 'vitest';
import { addUser } from '../../testing/add-user.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { addSeconds } from '../lib/clock.ts';
import { secureRandom } from '../lib/random.ts';
import { raiseSecurityVersion } from '../users/users-store.ts';
import { fingerprint } from './fingerprint.ts';
import { makeGrantId } from './grants-store.ts';
import type { NewRecord } from './records-store.ts';
import { write } from './request-writes.ts';

describeStore('the writes of a request', (store) => {
  const prepare = async () => {
    const clock = movableClock();
    const { database } = store();
    const accountId = await addUser(database, clock.now());
    const grantId = makeGrantId('harbor', 0, secureRandom);
    const record = (model: string): NewRecord => ({
      model,
      id: fingerprint(secureRandom.token(16)),
      payload: '{}',
      grantId,
      uid: null,
      accountId,
      expiresAt: addSeconds(clock.now(), 60),
    });
    const code = secureRandom.token(16);
    await database
      .insertInto('openid_records')
      .values({
        model: 'AuthorizationCode',
        id: fingerprint(code),
        payload: '{}',
        grant_id: grantId,
        account_id: accountId,
        expires_at: addSeconds(clock.now(), 60),
      })
      .execute();
    const redeem = () =>
      write(
        { database, clock },
        { records: [{ record: record('AccessToken') }], consumed: { model: 'AuthorizationCode', id: code } },
        {},
      );
    const listModels = async (): Promise<string[]> =>
      (
        await database.selectFrom('openid_records').select('model').where('grant_id', '=', grantId).execute()
      ).map(({ model }) => model);
    return { database, accountId, redeem, listModels };
  };

  test('a redeemed code and its token are written together, and a second redemption removes both [S52]', async () => {
    const { redeem, listModels } = await prepare();
    await redeem();
    expect(await listModels()).toEqual(expect.arrayContaining(['AuthorizationCode', 'AccessToken']));
    await expect(redeem()).rejects.toBeInstanceOf(errors.InvalidGrant);
    expect(await listModels()).toEqual([]);
  });

  test('one of 50 parallel redemptions writes a token, and no token is left [S52]', async () => {
    const { redeem, listModels } = await prepare();
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, redeem));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await listModels()).toEqual([]);
  });

  test('no token is written for an account that has changed [S23]', async () => {
    const { database, accountId, redeem, listModels } = await prepare();
    await database.transaction().execute((transaction) => raiseSecurityVersion(transaction, accountId));
    await expect(redeem()).rejects.toBeInstanceOf(errors.InvalidGrant);
    expect(await listModels()).toEqual(['AuthorizationCode']);
  });
});
