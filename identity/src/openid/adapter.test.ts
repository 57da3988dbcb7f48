import { randomBytes } from 'node:crypto';
import { errors } from 'oidc-provider';
import { expect, test } from 'vitest';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { createAdapterFactory } from './adapter.ts';

const id = () => randomBytes(32).toString('base64url');

describeStore('the provider’s storage', (store) => {
  const prepare = () => {
    const clock = movableClock();
    const adapterFor = createAdapterFactory({ database: store().database, clock });
    return {
      clock,
      codes: adapterFor('AuthorizationCode'),
      tokens: adapterFor('AccessToken'),
      grants: adapterFor('Grant'),
    };
  };
  const redeem = (codes: ReturnType<typeof prepare>['codes'], code: string) =>
    codes.consume(code).then(
      () => 'consumed',
      (error: unknown) => (error instanceof errors.InvalidGrant ? 'invalid_grant' : 'another error'),
    );

  test('S52: of 20 parallel redemptions of one code exactly one succeeds', async () => {
    const { codes } = prepare();
    const code = id();
    await codes.upsert(code, { grantId: id() }, 60);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => redeem(codes, code)));
    expect(outcomes.filter((outcome) => outcome === 'consumed')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'invalid_grant')).toHaveLength(19);
  });

  test('S52: a code that comes twice ends its grant and every token of it', async () => {
    const { codes, tokens, grants } = prepare();
    const [code, token, grantId] = [id(), id(), id()];
    await grants.upsert(grantId, { accountId: 'somebody' }, 600);
    await tokens.upsert(token, { grantId }, 600);
    await codes.upsert(code, { grantId }, 60);
    expect(await redeem(codes, code)).toBe('consumed');
    expect(await tokens.find(token)).toBeDefined();
    expect(await redeem(codes, code)).toBe('invalid_grant');
    expect(await tokens.find(token)).toBeUndefined();
    expect(await grants.find(grantId)).toBeUndefined();
  });

  test('S52: a code is worth nothing after its 60 seconds', async () => {
    const { clock, codes } = prepare();
    const code = id();
    await codes.upsert(code, { grantId: id() }, 60);
    clock.advanceSeconds(59);
    expect(await codes.find(code)).toMatchObject({ jti: code });
    clock.advanceSeconds(1);
    expect(await codes.find(code)).toBeUndefined();
  });

  test('S64: what the database keeps holds no id that works', async () => {
    const { tokens } = prepare();
    const token = id();
    await tokens.upsert(token, { jti: token, session: { cookie: 'cookie-value', uid: 'u' } }, 600);
    const rows = await store().database.selectFrom('openid_records').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain('cookie-value');
    expect(await tokens.find(token)).toMatchObject({ jti: token });
  });
});
