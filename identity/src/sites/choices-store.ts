import type { Database } from '../store/schema.ts';

/** Notes that a person has chosen a site of their own on the list. */
export async function noteChoice(
  database: Database,
  { personId, siteId, at }: { personId: string; siteId: string; at: Date },
): Promise<void> {
  await database
    .updateTable('memberships')
    .set({ chosen_at: at })
    .where('person_id', '=', personId)
    .where('site_id', '=', siteId)
    .execute();
}
