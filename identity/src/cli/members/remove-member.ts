import { signInNameKey } from '../../lib/sign-in-name.ts';
import { siteNameKey } from '../../sites/sites-store.ts';
import type { Database } from '../../store/schema.ts';
import { noteOperatorEvents } from '../operator-notes.ts';
import { RefusedError } from '../problems.ts';
import type { Workbench } from '../workbench.ts';
import { nameOf } from './save-members.ts';

/** @throws RefusedError when the person does not belong to the site */
export async function removeMember(
  { database, clock }: Workbench,
  userName: string,
  site: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const personId = await removeFrom(transaction, userName, site);
    const concern = { personId, site: siteNameKey(site) };
    const details = { noun: 'members', verb: 'remove', name: nameOf({ userName, site }) };
    await noteOperatorEvents(transaction, clock.now(), [{ event: 'operator.change', ...concern, details }]);
  });
}

async function removeFrom(database: Database, userName: string, site: string): Promise<string> {
  const removed = await database
    .deleteFrom('memberships')
    .where('person_id', 'in', (names) =>
      names.selectFrom('sign_in_names').select('person_id').where('name_key', '=', signInNameKey(userName)),
    )
    .where('site_id', 'in', (sites) =>
      sites.selectFrom('sites').select('id').where('name', '=', siteNameKey(site)),
    )
    .returning('person_id')
    .executeTakeFirst();
  if (removed === undefined) throw new RefusedError([{ reason: `${userName} is no member of ${site}` }]);
  return removed.person_id;
}
