import { randomBytes } from 'node:crypto';
import { errors } from 'oidc-provider';
import { expect, test } from 'vitest';
import { addUser } from '../../testing/add-user.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { raiseSecurityVersion } from '../users/users-store.ts';
import { createAdapterFactory } from './adapter.ts';
import { createExchangesByRequest } from './exchanges-by-request.ts';
import { makeGrantId } from './grants-store.ts';
import { secureRandom } from '../lib/random.ts';

const id = () => randomBytes(32).toString('base64url');

describeStore('the provider’s storage', (store) => {
  /** Creates a signed-in user, and a grant for the current security version of the account. */
  const prepare = async () => {
    const clock = movableClock();
    const { database } = store();
    const adapterFor = createAdapterFactory({ database, clock }, createExchangesByRequest());
    const accountId = await addUser(database, clock.now());
    const sessionUid = id();
    const idHash = id();
    const now = clock.now();
    await database
      .insertInto('sessions')
      .values({
        id_hash: idHash,
        browser_id: id(),
        user_id: accountId,
        provider_session_uid: sessionUid,
        methods: '[]',
        authenticated_at: now,
        created_at: now,
        last_seen_at: now,
        absolute_expires_at: now,
      })
      .execute();
    const grantId = makeGrantId('harbor', 0, secureRandom);
    return {
      clock,
      database,
      accountId,
      idHash,
      /** The payload that the provider stores for a code or token of this grant. */
      granted: { accountId, grantId, sessionUid },
      grantId,
      codes: adapterFor('AuthorizationCode'),
      tokens: adapterFor('AccessToken'),
      refreshTokens: adapterFor('RefreshToken'),
      grants: adapterFor('Grant'),
    };
  };
  test('the database stores no usable token or cookie value [S64]', async () => {
    const { tokens } = await prepare();
    const token = id();
    await tokens.upsert(token, { jti: token, session: { cookie: 'cookie-value', uid: 'u' } }, 600);
    const rows = await store().database.selectFrom('openid_records').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain('cookie-value');
    expect(await tokens.find(token)).toMatchObject({ jti: token });
  });

  test('codes, tokens and grants from before an account change are not found and issue nothing [S23]', async () => {
    const { database, accountId, grantId, granted, codes, tokens, refreshTokens, grants } = await prepare();
    const kept = { code: id(), token: id(), refreshToken: id() };
    await grants.upsert(grantId, { accountId }, 600);
    await codes.upsert(kept.code, granted, 60);
    await tokens.upsert(kept.token, granted, 600);
    await refreshTokens.upsert(kept.refreshToken, granted, 600);
    expect(await codes.find(kept.code)).toBeDefined();

    await database.transaction().execute((transaction) => raiseSecurityVersion(transaction, accountId));
    expect(await grants.find(grantId)).toBeUndefined();
    expect(await codes.find(kept.code)).toBeUndefined();
    expect(await tokens.find(kept.token)).toBeUndefined();
    expect(await refreshTokens.find(kept.refreshToken)).toBeUndefined();
    await expect(codes.upsert(id(), granted, 60)).rejects.toBeInstanceOf(errors.LoginRequired);
    await expect(grants.upsert(grantId, { accountId }, 60)).rejects.toBeInstanceOf(errors.LoginRequired);
    await expect(tokens.upsert(id(), granted, 600)).rejects.toBeInstanceOf(errors.InvalidGrant);
    await expect(refreshTokens.upsert(id(), granted, 600)).rejects.toBeInstanceOf(errors.InvalidGrant);
  });

  test('no code is issued after the session ends, and no token for a disabled user [S52]', async () => {
    const { database, accountId, idHash, granted, codes, tokens } = await prepare();
    const end = database.updateTable('sessions').where('id_hash', '=', idHash);
    await end.set({ ended_at: new Date() }).execute();
    await expect(codes.upsert(id(), granted, 60)).rejects.toBeInstanceOf(errors.LoginRequired);
    await database.updateTable('users').set({ status: 'disabled' }).where('id', '=', accountId).execute();
    await expect(tokens.upsert(id(), granted, 600)).rejects.toBeInstanceOf(errors.InvalidGrant);
  });
});
