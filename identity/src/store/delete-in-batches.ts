import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database, Tables } from './schema.ts';

/** Takes some tens of milliseconds: far below the statement timeout, without holding locks for long. */
const batchRows = 5_000;

/**
 * Deletes the matching rows in batches of a few thousand. A busy hour leaves hundreds of thousands of rows; a single
 * statement would run into the timeout every time, and the table would grow without limit. The condition stands twice, so
 * that a row that another statement has renewed meanwhile stays. Returns the number of rows.
 */
export async function deleteInBatches<Table extends keyof Tables>(
  database: Database,
  { table, key }: { table: Table; key: readonly (keyof Tables[Table] & string)[] },
  where: RawBuilder<boolean>,
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let deleted = 0;
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where (${columns}) in (
        select ${columns} from ${sql.table(table)} where ${where} limit ${batchRows})
        and ${where}`.execute(database);
    deleted += Number(numAffectedRows);
    if (numAffectedRows < batchRows) return deleted;
  }
}
