import { sql } from 'kysely';
import { signInNameKey } from '../src/lib/names.ts';
import { secureRandom } from '../src/lib/random.ts';
import type { Services } from '../src/services.ts';

type NewUser = {
  userName: string;
  /** Names of sites. */
  sites?: readonly string[];
  home?: string;
  role?: 'owner' | 'support' | 'auditor' | 'administrator';
  /** The site of an administrator. */
  of?: string;
};

/** Adds a user with a password that nobody knows, as an operator would. Returns the id. */
export async function addBoardUser(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  { userName, sites = [], home, role, of }: NewUser,
): Promise<string> {
  const id = secureRandom.token(16);
  const now = clock.now();
  const siteId = (name: string | undefined) =>
    sql<string | null>`(select id from sites where name = ${name ?? null})`;
  await database
    .insertInto('users')
    .values({
      id,
      user_name: userName,
      email: userName.includes('@') ? userName : null,
      first_name: 'Ada',
      last_name: userName,
      home_site_id: siteId(home),
      created_at: now,
      updated_at: now,
    })
    .execute();
  await database
    .insertInto('sign_in_names')
    .values({ name_key: signInNameKey(userName), user_id: id })
    .execute();
  await database
    .insertInto('credentials')
    .values({ user_id: id, password_hash: '$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAA', changed_at: now })
    .execute();
  for (const site of sites)
    await sql`insert into memberships (user_id, site_id, created_at) select ${id}, id, ${now} from sites where name = ${site}`.execute(
      database,
    );
  if (role !== undefined)
    await database
      .insertInto('roles')
      .values({ id: secureRandom.token(16), user_id: id, role, site_id: siteId(of), created_at: now })
      .execute();
  return id;
}

/** Adds a site. */
export async function addBoard(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  name: string,
  parent?: string,
): Promise<void> {
  await sql`
    insert into sites (id, name, display_name, display_name_key, parent_id, created_at)
    values (${secureRandom.token(16)}, ${name}, ${name}, ${name},
      (select id from sites where name = ${parent ?? null}), ${clock.now()})`.execute(database);
}
