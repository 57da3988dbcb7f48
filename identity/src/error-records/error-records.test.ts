import { expect, test } from 'vitest';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { secureRandom } from '../lib/random.ts';
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
    correlationId: 'abc.1',
  };

  test('are found by an unguessable id for 24 hours, and then no more', async () => {
    const { records, clock } = world();
    const id = await records.store(record);
    expect(Buffer.from(id, 'base64url')).toHaveLength(16);
    expect(await records.find(id)).toEqual({ ...record, createdAt: clock.now() });
    clock.advanceSeconds(24 * 3600 - 1);
    expect(await records.find(id)).toBeDefined();
    clock.advanceSeconds(1);
    expect(await records.find(id)).toBeUndefined();
  });

  test('lines come in the order of the specification, whatever order they were stored in', async () => {
    const { records } = world();
    const data = {
      Site: 'harbor',
      'Claim Name': 'mail',
      Application: 'director',
      'Email Address': 'a@b.example',
    };
    const found = await records.find(await records.store({ ...record, data }));
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
    const id = await records.store({
      error: 'a\0b',
      description: `${'x'.repeat(1999)}🔑${'y'.repeat(1000)}`,
      data: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`name ${index}`, '\ud800'])),
      correlationId: 'abc.2',
    });
    const found = await records.find(id);
    expect(found?.error).toBe('ab');
    expect(found?.description).toHaveLength(2000);
    expect(Object.keys(found?.data ?? {})).toHaveLength(20);
  });

  test('pruning forgets those whose time has passed', async () => {
    const { records, clock } = world();
    await records.store(record);
    clock.advanceSeconds(23 * 3600);
    const kept = await records.store(record);
    clock.advanceSeconds(3600);
    expect(await records.prune()).toBeGreaterThan(0);
    expect(await records.find(kept)).toBeDefined();
  });
});
