import { sql } from 'kysely';
import type { Database } from './schema.ts';

/** The threshold for a vacuum: PostgreSQL's own for autovacuum (50 rows and a fifth of the table), with a minimum that is worth the work. */
const smallestWaste = 1_000;
const wastedShare = 0.2;

/**
 * Frees the space of changed and deleted rows, table by table. A PostgreSQL server does this by itself; the embedded
 * database has no background processes, so its tables would grow with every sign-in. Returns the vacuumed tables.
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
