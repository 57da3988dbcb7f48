import type { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import { withPreparedStatements } from './prepared-statements.ts';
import type { Database, Tables } from './schema.ts';
import type { StatementWatch } from './statement-watch.ts';

/**
 * Nothing gathers statistics in the embedded database, and a plan is kept for long: one that was made while a table was
 * empty must still be good when it is full. So it is made once, and with the indexes.
 */
const planner = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set jit = off';

/** Our tables in an open PGlite. */
export async function createEmbeddedDatabase(pglite: PGlite, watch?: StatementWatch): Promise<Database> {
  await pglite.exec(planner);
  return new Kysely<Tables>({
    dialect: new PGliteDialect({ pglite: withPreparedStatements(pglite) }),
    ...(watch && { log: watch.note }),
  });
}
