import type { Database } from '../store/schema.ts';

/** What a person wants otherwise than the rest; the list of sites reads it. */
export async function keepPreferences(
  database: Database,
  personId: string,
  { recentSitesFirst }: { recentSitesFirst: boolean },
): Promise<void> {
  await database
    .updateTable('people')
    .set({ recent_sites_first: recentSitesFirst })
    .where('id', '=', personId)
    .execute();
}
