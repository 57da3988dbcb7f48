import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { createAllowances } from './allowances.ts';

const keyRing = [createSecretKey(Buffer.alloc(32, 7))] as const;
const limit = { count: 3, windowSeconds: 600 };

describeStore('allowances', (store) => {
  const setUp = () => {
    const clock = movableClock();
    return { clock, allowances: createAllowances({ database: store().database, clock, keyRing }) };
  };

  test('permits the given number, then returns the wait until the window ends', async () => {
    const { allowances, clock } = setUp();
    for (let taken = 0; taken < limit.count; taken += 1)
      expect(await allowances.take('letters', 'ada', limit)).toBeUndefined();
    clock.advanceSeconds(100);
    expect(await allowances.take('letters', 'ada', limit)).toBe(500);
    clock.advanceSeconds(499);
    expect(await allowances.take('letters', 'ada', limit)).toBe(1);
    clock.advanceSeconds(1);
    expect(await allowances.take('letters', 'ada', limit)).toBeUndefined();
  });

  test('has a separate count for each holder and purpose', async () => {
    const { allowances } = setUp();
    for (let taken = 0; taken <= limit.count; taken += 1) await allowances.take('letters', 'bo', limit);
    expect(await allowances.take('letters', 'bo', limit)).toBeGreaterThan(0);
    expect(await allowances.take('letters', 'cy', limit)).toBeUndefined();
    expect(await allowances.take('parcels', 'bo', limit)).toBeUndefined();
  });

  test('counts all spellings of an address together, an IPv6 address with its /64, and its /48 with ten times the limit', async () => {
    const { allowances } = setUp();
    const isTaken = async (address: string) =>
      (await allowances.take('letters', { address }, limit)) === undefined;
    for (const address of ['192.0.2.1', '::ffff:c000:201', '192.0.2.1:4711'])
      expect(await isTaken(address)).toBe(true);
    expect(await isTaken('::ffff:192.0.2.1')).toBe(false);
    expect(await isTaken('192.0.2.2')).toBe(true);

    for (let host = 0; host < limit.count; host += 1) await isTaken(`2001:db8:1:1::${host}`);
    expect(await isTaken('2001:db8:1:1::9')).toBe(false);
    for (let network = 2; network < 2 + 9 * limit.count; network += 1)
      expect(await isTaken(`2001:db8:1:${network}::1`)).toBe(true);
    expect(await allowances.take('letters', { address: '2001:db8:1:ffff::1' }, limit)).toBe(600);
    expect(await isTaken('2001:db8:2:1::1')).toBe(true);
  });

  test('permits no more than the limit to 20 parallel callers', async () => {
    const { allowances } = setUp();
    const waits = await Promise.all(
      Array.from({ length: 20 }, () => allowances.take('letters', 'dee', limit)),
    );
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(limit.count);
  });

  test('the table contains no names or addresses', async () => {
    const { allowances } = setUp();
    await allowances.take('letters', 'eve@demo.example', limit);
    const rows = await store().database.selectFrom('limits').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/eve|letters/);
  });
});
