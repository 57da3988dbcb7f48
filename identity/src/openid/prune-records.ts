import { sql } from 'kysely';
import { deleteInBatches } from '../store/delete-in-batches.ts';
import type { Database } from '../store/schema.ts';

/** Forgets what the provider kept and nobody can use any more; answers how many. */
export function pruneOpenidRecords(database: Database, now: Date): Promise<number> {
  return deleteInBatches(
    database,
    { table: 'openid_records', key: ['model', 'id'] },
    sql`expires_at <= ${now}`,
  );
}
