import type { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import { withPreparedStatements } from './prepared-statements.ts';
import type { Database, Tables } from './schema.ts';
import type { StatementWatch } from './statement-watch.ts';

/**
 * The embedded database gathers no statistics, and plans are cached for long: a plan made for an empty table must
 * still be good for a full one. So plans are generic and use the indexes.
 */
const planner = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set jit = off';

/** Connects Kysely to an open PGlite instance. */
export async function createEmbeddedDatabase(pglite: PGlite, watch?: StatementWatch): Promise<Database> {
  await pglite.exec(planner);
  return new Kysely<Tables>({
    dialect: new PGliteDialect({ pglite: withPreparedStatements(pglite) }),
    ...(watch && { log: watch.note }),
  });
}
