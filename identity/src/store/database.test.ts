import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeStore } from '../../testing/describe-store.ts';
import { migrate } from './migrate.ts';

const now = new Date('2026-01-15T09:00:00.000Z');

describeStore('the database', (store) => {
  test('applied migrations are not applied again', async () => {
    expect(await migrate(store().database)).toEqual([]);
  });

  test('a migration that fails halfway is rolled back completely', async () => {
    const { database } = store();
    await expect(
      migrate(database, {
        '9999-broken': {
          up: async (db) => {
            await sql`create table half_made (id text)`.execute(db);
            await sql`select * from nowhere`.execute(db);
          },
        },
      }),
    ).rejects.toThrow('9999-broken failed and was rolled back');
    const { rows } = await sql`select to_regclass('half_made') as found`.execute(database);
    expect(rows).toEqual([{ found: null }]);
    expect(await migrate(database)).toEqual([]);
  });

  test('a database with the migrations of a later version is accepted, so that a release can be rolled back [F12]', async () => {
    const { database } = store();
    const later = { '9998-later': { up: () => Promise.resolve() } };
    expect(await migrate(database, later)).toEqual(['9998-later']);
    expect(await migrate(database)).toEqual([]);
    await sql`delete from kysely_migration where name = '9998-later'`.execute(database);
  });

  test('times and JSON are returned as written', async () => {
    const { database } = store();
    await database
      .insertInto('sessions')
      .values({
        id_hash: 'times-and-json',
        browser_id: 'b',
        methods: JSON.stringify(['pwd', 'sms']),
        created_at: now,
        last_seen_at: now,
        absolute_expires_at: now,
      })
      .execute();
    const row = await database
      .selectFrom('sessions')
      .selectAll()
      .where('id_hash', '=', 'times-and-json')
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      methods: ['pwd', 'sms'],
      created_at: now,
      user_id: null,
      externally_authenticated: false,
    });
  });

  test('exactly one of several parallel conditional updates of a row succeeds', async () => {
    const { database } = store();
    await database
      .insertInto('openid_records')
      .values({ model: 'AuthorizationCode', id: 'once', payload: '{}' })
      .execute();
    const consumed = await Promise.all(
      Array.from({ length: 20 }, () =>
        database
          .updateTable('openid_records')
          .set({ consumed_at: now })
          .where('id', '=', 'once')
          .where('consumed_at', 'is', null)
          .returning('id')
          .executeTakeFirst(),
      ),
    );
    expect(consumed.filter((row) => row !== undefined)).toHaveLength(1);
  });

  test('a transaction that throws changes nothing, and parallel transactions do not mix', async () => {
    const { database } = store();
    const write = (name: string, fail: boolean) =>
      database.transaction().execute(async (transaction) => {
        await transaction.insertInto('settings').values({ name, value: '{}' }).execute();
        if (fail) throw new Error('taken back');
      });
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => write(`mixed-${index}`, index % 2 === 0)),
    );
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(5);
    const kept = await database
      .selectFrom('settings')
      .select('name')
      .where('name', 'like', 'mixed-%')
      .orderBy('name')
      .execute();
    expect(kept.map((row) => row.name)).toEqual(['mixed-1', 'mixed-3', 'mixed-5', 'mixed-7', 'mixed-9']);
  });
});
