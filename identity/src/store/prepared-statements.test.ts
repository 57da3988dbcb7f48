import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedTestDatabase } from '../../testing/describe-store.ts';
import type { TestDatabase } from '../../testing/describe-store.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openEmbeddedTestDatabase();
  await sql`create table notes (id int primary key, text text, at timestamptz, tags jsonb, many int8)`.execute(
    opened.database,
  );
});
afterAll(async () => {
  await sql`drop table notes`.execute(opened.database);
  await opened.close();
});

const write = (id: number, text: string | null): Promise<unknown> =>
  sql`insert into notes (id, text) values (${id}, ${text})`.execute(opened.database);
const read = async (id: number): Promise<unknown> =>
  (await sql`select * from notes where id = ${id}`.execute(opened.database)).rows[0];
const prepared = async (): Promise<{ statement: string }[]> =>
  (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(opened.database))
    .rows;

test('values keep the types of their columns', async () => {
  const at = new Date('2026-03-01T10:00:00.000Z');
  const tags = JSON.stringify(['"quoted"', '\\', 'é', '東京']);
  await sql`insert into notes values (1, ${'it’s; drop table notes'}, ${at}, ${tags}, ${9n})`.execute(
    opened.database,
  );
  expect(await read(1)).toEqual({
    id: 1,
    text: 'it’s; drop table notes',
    at,
    tags: ['"quoted"', '\\', 'é', '東京'],
    many: 9,
  });
  await write(2, null);
  expect(await read(2)).toMatchObject({ text: null, at: null });
});

test('a statement is parsed once, whatever its values', async () => {
  for (let id = 10; id < 40; id += 1) await write(id, `note ${id}`);
  const inserts = (await prepared()).filter(({ statement }) => statement.startsWith('insert into notes (id'));
  expect(inserts).toHaveLength(1);
});

test('a failing statement returns its error code and does not affect later statements', async () => {
  await write(50, 'first');
  await expect(write(50, 'second')).rejects.toMatchObject({ code: '23505' });
  await expect(sql`select nothing from nowhere`.execute(opened.database)).rejects.toMatchObject({
    code: '42P01',
  });
  expect(await read(50)).toMatchObject({ text: 'first' });
});

test('returns the number of changed rows for each kind of change', async () => {
  const { numAffectedRows: deleted } = await sql`delete from notes where id between 10 and 14`.execute(
    opened.database,
  );
  const { numAffectedRows: updated } = await sql`update notes set text = 'x' where id = 99`.execute(
    opened.database,
  );
  expect([deleted, updated]).toEqual([5n, 0n]);
});

test('after a schema change, every statement is parsed again', async () => {
  await read(1);
  await sql`alter table notes add column late text default 'here'`.execute(opened.database);
  expect(await read(1)).toMatchObject({ late: 'here' });
  await opened.database.transaction().execute(async (transaction) => {
    await sql`alter table notes drop column late`.execute(transaction);
    const { rows } = await sql`select * from notes where id = ${1}`.execute(transaction);
    expect(rows[0]).not.toHaveProperty('late');
  });
});

test('an unlimited number of statements does not fill the memory', async () => {
  for (let index = 0; index < 450; index += 1)
    await sql.raw(`select ${index} as counted`).execute(opened.database);
  expect((await prepared()).length).toBeLessThanOrEqual(401);
  expect(await read(1)).toMatchObject({ id: 1 });
});

test('a rolled-back transaction has no effect', async () => {
  await expect(
    opened.database.transaction().execute(async (transaction) => {
      await sql`insert into notes (id) values (${77})`.execute(transaction);
      throw new Error('taken back');
    }),
  ).rejects.toThrow('taken back');
  expect(await read(77)).toBeUndefined();
});
