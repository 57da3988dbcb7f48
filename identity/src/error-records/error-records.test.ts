import { expect, test } from 'vitest';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { ContractError } from '../http/errors.ts';
import { secureRandom } from '../lib/random.ts';
import { deleteExpired } from '../store/expired-rows.ts';
import { visitorRows } from '../store/visitor-rows.ts';
import { createErrorRecords } from './error-records.ts';

describeStore('error records', (store) => {
  const setUp = () => {
    const clock = movableClock();
    return {
      clock,
      records: createErrorRecords({ database: store().database, clock, random: secureRandom }),
    };
  };
  const record = {
    error: 'email_claim_not_found',
    description: 'No <b>e-mail</b> came.',
    data: { 'Email Address': 'a@b.example', 'Claim Name': 'mail' },
  };
  const occasion = { correlationId: 'abc.1', requireAnonymousAllowance: () => Promise.resolve(visitorRows) };

  test('are found by an unguessable id for one hour [I37]', async () => {
    const { records, clock } = setUp();
    const id = await records.store(record, occasion);
    expect(Buffer.from(id, 'base64url')).toHaveLength(16);
    expect(await records.find(id)).toEqual({
      ...record,
      correlationId: 'abc.1',
      createdAt: clock.now(),
    });
    clock.advanceSeconds(3600 - 1);
    expect(await records.find(id)).toBeDefined();
    clock.advanceSeconds(1);
    expect(await records.find(id)).toBeUndefined();
  });

  test('are not stored for an address above its limit', async () => {
    const { records } = setUp();
    const count = async () =>
      (await store().database.selectFrom('error_records').select('id').execute()).length;
    const before = await count();
    const requireAnonymousAllowance = () => Promise.reject(new ContractError('rate_limit_reached'));
    const refused = records.store(record, { ...occasion, requireAnonymousAllowance });
    await expect(refused).rejects.toMatchObject({ code: 'rate_limit_reached' });
    expect(await count()).toBe(before);
  });

  test('have their lines in the order of the specification', async () => {
    const { records } = setUp();
    const data = {
      Site: 'harbor',
      'Claim Name': 'mail',
      Application: 'director',
      'Email Address': 'a@b.example',
    };
    const found = await records.find(await records.store({ ...record, data }, occasion));
    expect(Object.keys(found?.data ?? {})).toEqual(['Email Address', 'Claim Name', 'Application', 'Site']);
  });

  test('are not found by an invented id', async () => {
    const { records } = setUp();
    for (const id of ['', 'x', "' or 1=1 --", 'a\0b', '../x', 'x'.repeat(200)]) {
      expect(await records.find(id)).toBeUndefined();
    }
  });

  test('are stored without characters that PostgreSQL rejects, and truncated if too long', async () => {
    const { records } = setUp();
    const id = await records.store(
      {
        error: 'a\0b',
        description: `${'x'.repeat(999)}🔑${'y'.repeat(1000)}`,
        data: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`name ${index}`, '\ud800'])),
      },
      occasion,
    );
    const found = await records.find(id);
    expect(found?.error).toBe('ab');
    expect(found?.description).toHaveLength(1000);
    expect(Object.keys(found?.data ?? {})).toHaveLength(4);
  });

  test('are deleted by pruning after their expiry', async () => {
    const { records, clock } = setUp();
    await records.store(record, occasion);
    clock.advanceSeconds(3000);
    const unexpired = await records.store(record, occasion);
    clock.advanceSeconds(600);
    expect(await deleteExpired(store().database, 'error_records', clock.now())).toBeGreaterThan(0);
    expect(await records.find(unexpired)).toBeDefined();
  });
});
