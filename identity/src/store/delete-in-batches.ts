import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database, Tables } from './schema.ts';

/** Some tens of milliseconds: far below the statement time-out, and no lock is held for long. */
const batchRows = 5_000;

/**
 * Deletes what matches, a few thousand rows a statement. A busy hour leaves hundreds of thousands behind, and one statement for all of
 * them would run into the time-out each time, so that the table grew for ever. Answers how many.
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
        select ${columns} from ${sql.table(table)} where ${where} limit ${batchRows})`.execute(database);
    deleted += Number(numAffectedRows);
    if (numAffectedRows < batchRows) return deleted;
  }
}
