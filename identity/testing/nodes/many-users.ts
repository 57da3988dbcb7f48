import { sql } from 'kysely';
import { demoPassword } from '../../src/demo/demo-data.ts';
import type { Database } from '../../src/store/schema.ts';

/** Adds members of harbor with the demo password, so that no account reaches its limits. Requires the demo data. */
export async function addManyUsers(
  database: Database,
  count: number,
): Promise<{ site: string; userName: string; password: string }[]> {
  await sql`
    with added as (
      insert into users (id, user_name, first_name, last_name, created_at, updated_at)
      select 'many-' || n, 'many-' || n || '@demo.example', 'Some', 'Body', now(), now()
      from generate_series(1, ${count}::int) n returning id, user_name
    ), named as (
      insert into sign_in_names (name_key, user_id) select user_name, id from added
    ), member as (
      insert into memberships (user_id, site_id, created_at)
      select added.id, sites.id, now() from added, sites where sites.name = 'harbor'
    )
    insert into credentials (user_id, password_hash, changed_at)
    select added.id, (
      select password_hash from credentials
      join sign_in_names on sign_in_names.user_id = credentials.user_id
      where name_key = 'secretary@demo.example'
    ), now() from added`.execute(database);
  return Array.from({ length: count }, (_, index) => ({
    site: 'harbor',
    userName: `many-${index + 1}@demo.example`,
    password: demoPassword,
  }));
}
