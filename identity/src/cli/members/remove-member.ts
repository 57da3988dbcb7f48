import { signInNameKey } from '../../lib/sign-in-name.ts';
import { siteNameKey } from '../../sites/sites-store.ts';
import type { Database } from '../../store/schema.ts';
import { RefusedError } from '../problems.ts';

/** @throws RefusedError when the person does not belong to the site */
export async function removeMember(database: Database, userName: string, site: string): Promise<void> {
  const { numDeletedRows } = await database
    .deleteFrom('memberships')
    .where('person_id', 'in', (names) =>
      names.selectFrom('sign_in_names').select('person_id').where('name_key', '=', signInNameKey(userName)),
    )
    .where('site_id', 'in', (sites) =>
      sites.selectFrom('sites').select('id').where('name', '=', siteNameKey(site)),
    )
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new RefusedError([{ reason: `${userName} is no member of ${site}` }]);
}
