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

  test('so many are taken, then the wait until the window ends is told', async () => {
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

  test('everybody has their own, for each thing', async () => {
    const { allowances } = world();
    for (let taken = 0; taken <= figures.count; taken += 1) await allowances.take('letters', 'bo', figures);
    expect(await allowances.take('letters', 'bo', figures)).toBeGreaterThan(0);
    expect(await allowances.take('letters', 'cy', figures)).toBeUndefined();
    expect(await allowances.take('parcels', 'bo', figures)).toBeUndefined();
  });

  test('of 20 parallel takers as many get one as there are', async () => {
    const { allowances } = world();
    const waits = await Promise.all(
      Array.from({ length: 20 }, () => allowances.take('letters', 'dee', figures)),
    );
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(figures.count);
  });

  test('the table names nobody', async () => {
    const { allowances } = world();
    await allowances.take('letters', 'eve@demo.example', figures);
    const rows = await store().database.selectFrom('limits').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/eve|letters/);
  });
});
