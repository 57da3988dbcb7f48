import { sql } from 'kysely';
import type { Database } from './schema.ts';

/** From when on a table is worth it: PostgreSQL's own threshold for its autovacuum (50 rows and a fifth of the table), at a size that a person would notice. */
const smallestWaste = 1_000;
const wastedShare = 0.2;

/**
 * Frees what changed and deleted rows still take up, table by table. A PostgreSQL server does it by itself; the embedded
 * database has no processes beside ours, so its tables would grow with every sign-in. Answers the tables it has done.
 */
export async function vacuum(database: Database): Promise<string[]> {
  const { rows } = await sql<{ relname: string }>`
    select relname from pg_stat_user_tables
    where n_dead_tup > ${smallestWaste}::int + ${wastedShare}::float8 * n_live_tup order by relname`.execute(
    database,
  );
  for (const { relname } of rows) await sql`vacuum (analyze) ${sql.table(relname)}`.execute(database);
  return rows.map(({ relname }) => relname);
}
