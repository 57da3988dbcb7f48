import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeStore } from '../../testing/describe-store.ts';
import { compileOnce } from './compiled-query.ts';

describeStore('a query that is compiled once', (store) => {
  let built = 0;
  const selectNumber = compileOnce((database, { least, name }: { least: number; name: string }) => {
    built += 1;
    return database
      .selectFrom(
        sql<{ number: number; name: string }>`(values (1, 'one'), (2, 'two'))`.as<'numbers'>(
          sql`numbers (number, name)`,
        ),
      )
      .select(['number', 'name'])
      .where('number', '>=', least)
      .where('name', '=', name)
      .where('number', '<', 100);
  });

  test('is built once, and finds what the values of each use say', async () => {
    const { database } = store();
    const find = async (least: number, name: string) =>
      (await selectNumber(database, { least, name }).execute(database)).rows;
    expect(await find(1, 'one')).toEqual([{ number: 1, name: 'one' }]);
    expect(await find(1, 'two')).toEqual([{ number: 2, name: 'two' }]);
    expect(await find(2, 'one')).toEqual([]);
    expect(built).toBe(1);
  });

  test('accepts an expression as a value, and is a part of a larger statement', async () => {
    const { database } = store();
    const part = selectNumber(database, { least: 1, name: sql<string>`lower(${'TWO'})` });
    const { rows } = await sql`with found as (${part}) select number from found`.execute(database);
    expect(rows).toEqual([{ number: 2 }]);
  });
});
