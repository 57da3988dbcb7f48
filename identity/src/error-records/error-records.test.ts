import { expect, test } from 'vitest';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { ContractError } from '../http/errors.ts';
import { secureRandom } from '../lib/random.ts';
import { deleteExpired } from '../store/expired-rows.ts';
import { createErrorRecords } from './create-error-records.ts';

describeStore('error records', (store) => {
  const world = () => {
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
  const occasion = { correlationId: 'abc.1', requireAnonymousAllowance: () => Promise.resolve() };

  test('are found by an unguessable id for an hour, and then no more', async () => {
    const { records, clock } = world();
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

  test('nothing is stored for an address that has caused too many', async () => {
    const { records } = world();
    const count = async () =>
      (await store().database.selectFrom('error_records').select('id').execute()).length;
    const before = await count();
    const requireAnonymousAllowance = () => Promise.reject(new ContractError('rate_limit_reached'));
    const refused = records.store(record, { ...occasion, requireAnonymousAllowance });
    await expect(refused).rejects.toMatchObject({ code: 'rate_limit_reached' });
    expect(await count()).toBe(before);
  });

  test('lines come in the order of the specification, whatever order they were stored in', async () => {
    const { records } = world();
    const data = {
      Site: 'harbor',
      'Claim Name': 'mail',
      Application: 'director',
      'Email Address': 'a@b.example',
    };
    const found = await records.find(await records.store({ ...record, data }, occasion));
    expect(Object.keys(found?.data ?? {})).toEqual(['Email Address', 'Claim Name', 'Application', 'Site']);
  });

  test('an invented id finds nothing, whatever it is made of', async () => {
    const { records } = world();
    for (const id of ['', 'x', "' or 1=1 --", 'a\0b', '../x', 'x'.repeat(200)]) {
      expect(await records.find(id)).toBeUndefined();
    }
  });

  test('what PostgreSQL cannot keep, and what is too long, is kept as far as it goes', async () => {
    const { records } = world();
    const id = await records.store(
      {
        error: 'a\0b',
        description: `${'x'.repeat(1999)}🔑${'y'.repeat(1000)}`,
        data: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`name ${index}`, '\ud800'])),
      },
      occasion,
    );
    const found = await records.find(id);
    expect(found?.error).toBe('ab');
    expect(found?.description).toHaveLength(2000);
    expect(Object.keys(found?.data ?? {})).toHaveLength(20);
  });

  test('pruning forgets those whose time has passed', async () => {
    const { records, clock } = world();
    await records.store(record, occasion);
    clock.advanceSeconds(3000);
    const kept = await records.store(record, occasion);
    clock.advanceSeconds(600);
    expect(await deleteExpired(store().database, 'error_records', clock.now())).toBeGreaterThan(0);
    expect(await records.find(kept)).toBeDefined();
  });
});
