import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedTestDatabase } from '../../testing/describe-store.ts';
import type { TestDatabase } from '../../testing/describe-store.ts';
import { vacuum } from './open-database.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openEmbeddedTestDatabase();
});
afterAll(() => opened.close());

const sizeBytes = async (): Promise<number> =>
  Number(
    (await sql<{ size: number }>`select pg_relation_size('settings') as size`.execute(opened.database))
      .rows[0]?.size,
  );

test('inserting and deleting rows does not make the embedded database grow', async () => {
  const { database } = opened;
  const comeAndGo = async (): Promise<void> => {
    await sql`insert into settings (name, value)
      select 'passing ' || n, jsonb_build_object('text', repeat('x', 200)) from generate_series(1, 5000) as n`.execute(
      database,
    );
    await sql`delete from settings where name like 'passing %'`.execute(database);
    // forces the statistics to be written, which otherwise happens only after an idle period
    await sql`select pg_stat_force_next_flush()`.execute(database);
  };
  // what an earlier test has left in this database
  await vacuum(database);
  await comeAndGo();
  const once = await sizeBytes();
  expect(await vacuum(database)).toEqual(['settings']);
  for (let round = 0; round < 3; round += 1) {
    await comeAndGo();
    await vacuum(database);
  }
  expect(await sizeBytes()).toBeLessThanOrEqual(once);
  expect(await vacuum(database)).toEqual([]);
});
