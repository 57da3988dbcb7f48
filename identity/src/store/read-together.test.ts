import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeStore } from '../../testing/describe-store.ts';
import { readTogether } from './read-together.ts';

describeStore('several queries in one statement', (store) => {
  test('return the first row of each query, and undefined for a query without rows', async () => {
    const rows = await readTogether(store().database, {
      first_two: sql<{ number: number }>`select * from (values (1), (2)) as listed (number)`,
      following: sql<{ next: number }>`select number + 1 as next from first_two order by number desc`,
      nothing: sql<{ number: number }>`select 1 as number where false`,
    });
    expect(rows).toEqual({ first_two: { number: 1 }, following: { next: 3 }, nothing: undefined });
  });

  test('return dates for columns that end with _at, and all other values as they are stored', async () => {
    const { row } = await readTogether(store().database, {
      row: sql`select '2026-11-23T17:05:06.789+01:00'::timestamptz as created_at, null::timestamptz as ended_at,
        '{"created_at": "2026"}'::jsonb as payload`,
    });
    const createdAt = new Date('2026-11-23T16:05:06.789Z');
    expect(row).toEqual({ created_at: createdAt, ended_at: null, payload: { created_at: '2026' } });
  });
});
