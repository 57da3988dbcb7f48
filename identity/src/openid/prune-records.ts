import type { Database } from '../store/schema.ts';

/** Forgets what the provider kept and nobody can use any more; answers how many. */
export async function pruneOpenidRecords(database: Database, now: Date): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('openid_records')
    .where('expires_at', '<=', now)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
