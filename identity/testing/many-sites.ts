import { sql } from 'kysely';
import { demoLogoPath } from '../src/demo/logos.ts';
import { secureRandom } from '../src/lib/random.ts';
import type { Database } from '../src/store/schema.ts';

/** How many sites there are, and how many of them are one person's: in groups of one parent and its children. */
export type ManySites = { all: number; own: number; groups: number };

/**
 * A large service: the first `own` sites are the person's, in groups; all others stand alone and have one member each out of a
 * thousand other people. Everybody has to-dos and seen books everywhere. Four statements, so that it costs seconds and not minutes.
 */
export async function seedManySites(
  database: Database,
  { all, own, groups }: ManySites,
  personId: string,
  now: Date,
): Promise<void> {
  const prefix = secureRandom.token(6).toLowerCase();
  const perGroup = own / groups;
  await sql`
    insert into people (id, user_name, first_name, last_name, created_at, updated_at)
    select ${prefix}::text || '-p' || n, ${prefix}::text || '-p' || n, 'Some', 'Body', ${now}, ${now}
    from generate_series(1, 1000) n`.execute(database);
  // parents first: the rows of one statement are checked in order
  await sql`
    insert into sites (id, name, display_name, parent_id, sequence, logo_path, created_at)
    select ${prefix}::text || '-s' || n, ${prefix}::text || '-s' || n, 'Site ' || n,
      case when n < ${own}::int and n % ${perGroup}::int <> 0
        then ${prefix}::text || '-s' || (n - n % ${perGroup}::int) end,
      n % ${perGroup}::int, ${demoLogoPath('harbor')}, ${now}
    from generate_series(0, ${all}::int - 1) n`.execute(database);
  await sql`
    insert into memberships (person_id, site_id, client_entitlement, created_at)
    select case when n < ${own}::int then ${personId}::text else ${prefix}::text || '-p' || (n % 1000 + 1) end,
      ${prefix}::text || '-s' || n, 'Director', ${now}
    from generate_series(0, ${all}::int - 1) n`.execute(database);
  await sql`
    insert into to_dos (person_id, site_id, pending_votes, seen_books, updated_at)
    select person_id, site_id, 1,
      '[{"bookId":"next-meeting","tabVersions":[{"id":"agenda","version":1}],"documentVersions":[]}]', ${now}
    from memberships where site_id like ${prefix}::text || '-s%'`.execute(database);
}
