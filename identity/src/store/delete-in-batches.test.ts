import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeStore } from '../../testing/describe-store.ts';
import { deleteInBatches } from './expired-rows.ts';

describeStore('deleting expired rows', (store) => {
  test('twelve thousand rows are deleted in several statements, and unexpired rows stay [S67]', async () => {
    const { database } = store();
    await sql`
      insert into openid_records (model, id, payload, expires_at)
      select 'AccessToken', n::text, '{}',
        case when n % 100 = 0 then timestamptz '2026-02-01' else timestamptz '2026-01-01' end
      from generate_series(1, 12000) n`.execute(database);
    const expired = sql<boolean>`expires_at <= ${new Date('2026-01-15T00:00:00.000Z')}`;
    const records = { table: 'openid_records', key: ['model', 'id'] } as const;
    expect(await deleteInBatches(database, records, expired)).toBe(11_880);
    expect(await deleteInBatches(database, records, expired)).toBe(0);
    const { count } = await database
      .selectFrom('openid_records')
      .select((select) => select.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(120);
  });
});
