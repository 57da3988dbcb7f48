import { createHash } from 'node:crypto';
import type { Services } from '../services.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import { demoCompany, demoRegionSite, demoSites, displayed } from './demo-data.ts';

/** The director, who has a site in each region. */
const userInBothRegions = 'director@demo.example';

/** A user id that is the same in every region; in production an operator sets it with an import. */
export function demoUserId(email: string): string {
  return createHash('sha256').update(`demo user ${email}`).digest('base64url').slice(0, 22);
}

/**
 * Assigns the demo sites to several regions: the company's site and `demoRegionSite` to the last region by name, the
 * other sites to the first.
 */
export async function seedRegions(
  transaction: DatabaseTransaction,
  { config, clock, random }: Pick<Services, 'config' | 'clock' | 'random'>,
): Promise<void> {
  if (config.regions === undefined) return;
  const byName = [config.regions.own, ...config.regions.others].toSorted((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  const homeOf = (at: number): string | null => {
    const url = byName.at(at)?.url;
    return url === undefined || url === config.publicUrl ? null : url;
  };
  await transaction
    .updateTable('sites')
    .set({ identity_service_url: homeOf(0) })
    .where(
      'name',
      'in',
      demoSites.map(({ name }) => name),
    )
    .execute();
  await transaction
    .updateTable('sites')
    .set({ identity_service_url: homeOf(-1) })
    .where('name', '=', demoCompany.site)
    .execute();
  const { name, sequence } = demoRegionSite;
  const site = await transaction
    .insertInto('sites')
    .values({
      id: random.token(16),
      name,
      ...displayed(demoRegionSite),
      sequence,
      identity_service_url: homeOf(-1),
      created_at: clock.now(),
    })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ identity_service_url: homeOf(-1) }))
    .returning('id')
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('memberships')
    .values({ user_id: demoUserId(userInBothRegions), site_id: site.id, created_at: clock.now() })
    .onConflict((conflict) => conflict.columns(['user_id', 'site_id']).doNothing())
    .execute();
}
