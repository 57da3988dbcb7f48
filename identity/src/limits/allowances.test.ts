import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { createAllowances } from './allowances.ts';

const keyRing = [createSecretKey(Buffer.alloc(32, 7))] as const;
const figures = { count: 3, windowSeconds: 600 };

describeStore('allowances', (store) => {
  const world = () => {
    const clock = movableClock();
    return { clock, allowances: createAllowances({ database: store().database, clock, keyRing }) };
  };

  test('permits the given number, then returns the wait until the window ends', async () => {
    const { allowances, clock } = world();
    for (let taken = 0; taken < figures.count; taken += 1)
      expect(await allowances.take('letters', 'ada', figures)).toBeUndefined();
    clock.advanceSeconds(100);
    expect(await allowances.take('letters', 'ada', figures)).toBe(500);
    clock.advanceSeconds(499);
    expect(await allowances.take('letters', 'ada', figures)).toBe(1);
    clock.advanceSeconds(1);
    expect(await allowances.take('letters', 'ada', figures)).toBeUndefined();
  });

  test('has a separate count for each holder and purpose', async () => {
    const { allowances } = world();
    for (let taken = 0; taken <= figures.count; taken += 1) await allowances.take('letters', 'bo', figures);
    expect(await allowances.take('letters', 'bo', figures)).toBeGreaterThan(0);
    expect(await allowances.take('letters', 'cy', figures)).toBeUndefined();
    expect(await allowances.take('parcels', 'bo', figures)).toBeUndefined();
  });

  test('counts all spellings of an address together, an IPv6 address with its /64, and its /48 with ten times the limit', async () => {
    const { allowances } = world();
    const isTaken = async (address: string) =>
      (await allowances.take('letters', { address }, figures)) === undefined;
    for (const address of ['192.0.2.1', '::ffff:c000:201', '192.0.2.1:4711'])
      expect(await isTaken(address)).toBe(true);
    expect(await isTaken('::ffff:192.0.2.1')).toBe(false);
    expect(await isTaken('192.0.2.2')).toBe(true);

    for (let host = 0; host < figures.count; host += 1) await isTaken(`2001:db8:1:1::${host}`);
    expect(await isTaken('2001:db8:1:1::9')).toBe(false);
    for (let network = 2; network < 2 + 9 * figures.count; network += 1)
      expect(await isTaken(`2001:db8:1:${network}::1`)).toBe(true);
    expect(await allowances.take('letters', { address: '2001:db8:1:ffff::1' }, figures)).toBe(600);
    expect(await isTaken('2001:db8:2:1::1')).toBe(true);
  });

  test('permits no more than the limit to 20 parallel callers', async () => {
    const { allowances } = world();
    const waits = await Promise.all(
      Array.from({ length: 20 }, () => allowances.take('letters', 'dee', figures)),
    );
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(figures.count);
  });

  test('the table contains no names or addresses', async () => {
    const { allowances } = world();
    await allowances.take('letters', 'eve@demo.example', figures);
    const rows = await store().database.selectFrom('limits').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/eve|letters/);
  });
});
