import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useApplication } from '../../testing/use-application.ts';
import { personalData } from './personal-data.ts';

const application = useApplication();

test('every column of every table is classified as personal data or not', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name not like 'kysely_%'`.execute(
    application().services.database,
  );
  const classified = Object.entries(personalData).flatMap(([table, { columns }]) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  );
  expect(rows.map(({ name }) => name).toSorted()).toEqual(classified.toSorted());
});

test('a table has a purpose, a retention time and a way of erasure if and only if it contains personal data', () => {
  for (const [table, { columns, purpose, kept, erased, exported }] of Object.entries(personalData)) {
    const isPersonal = Object.values(columns).some((meaning) => meaning !== false);
    for (const fact of [purpose, kept, erased, exported]) expect(fact !== undefined, table).toBe(isPersonal);
  }
});

test('a table that is erased with the user refers to the account, or `users remove` deletes its rows', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct child.relname as name from pg_constraint
    join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
    where contype = 'f' and confdeltype = 'c' and parent.relname in ('users', 'memberships')`.execute(
    application().services.database,
  );
  const following = new Set(rows.map(({ name }) => name));
  const erased = Object.entries(personalData).flatMap(([table, row]) =>
    row.erased === 'with the user' ? [table] : [],
  );
  expect(erased.filter((table) => !following.has(table))).toEqual([
    'users',
    'region_departures',
    'region_arrivals',
  ]);
});
