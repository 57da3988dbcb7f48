import { sql } from 'kysely';
import { demoLogoPath } from '../src/demo/demo-data.ts';
import { secureRandom } from '../src/lib/random.ts';
import type { Database } from '../src/store/schema.ts';

/**
 * The number of all sites, of one user's own sites, and of the groups (a parent and its children) that the own sites
 * form.
 */
export type ManySites = { all: number; own: number; groups: number };

/**
 * Seeds a large service. The first `own` sites belong to the given user, in groups; every other site is in no group,
 * and has one member out of a thousand other users. Every membership has to-dos and seen books. Four statements keep
 * this fast.
 */
export async function seedManySites(
  database: Database,
  { all, own, groups }: ManySites,
  userId: string,
  now: Date,
): Promise<void> {
  const prefix = secureRandom.token(6).toLowerCase();
  const perGroup = own / groups;
  await sql`
    insert into users (id, user_name, first_name, last_name, created_at, updated_at)
    select ${prefix}::text || '-p' || n, ${prefix}::text || '-p' || n, 'Some', 'Body', ${now}, ${now}
    from generate_series(1, 1000) n`.execute(database);
  // Parents come first, because the rows of one statement are checked in order.
  await sql`
    insert into sites (id, name, display_name, parent_id, sequence, logo_path, created_at)
    select ${prefix}::text || '-s' || n, ${prefix}::text || '-s' || n, 'Site ' || n,
      case when n < ${own}::int and n % ${perGroup}::int <> 0
        then ${prefix}::text || '-s' || (n - n % ${perGroup}::int) end,
      n % ${perGroup}::int, ${demoLogoPath('harbor')}, ${now}
    from generate_series(0, ${all}::int - 1) n`.execute(database);
  await sql`
    insert into memberships (user_id, site_id, client_entitlement, created_at)
    select case when n < ${own}::int then ${userId}::text else ${prefix}::text || '-p' || (n % 1000 + 1) end,
      ${prefix}::text || '-s' || n, 'Director', ${now}
    from generate_series(0, ${all}::int - 1) n`.execute(database);
  await sql`
    insert into to_dos (user_id, site_id, pending_votes, seen_books, updated_at)
    select user_id, site_id, 1,
      '[{"bookId":"next-meeting","tabVersions":[{"id":"agenda","version":1}],"documentVersions":[]}]', ${now}
    from memberships where site_id like ${prefix}::text || '-s%'`.execute(database);
}
