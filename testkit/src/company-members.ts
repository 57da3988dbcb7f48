import { demoCompany, demoPassword } from '@anteroom/identity/demo/demo-data';
import type { Services } from '@anteroom/identity/services';

/** A site that has passwords lets people in over the demonstration's company too, or does not any more. */
export async function connectSite({ database }: Services, site: string, connected: boolean): Promise<void> {
  await database
    .updateTable('sites')
    .set((values) => ({
      connection_id: connected
        ? values.selectFrom('connections').select('id').where('name', '=', demoCompany.name)
        : null,
    }))
    .where('name', '=', site)
    .execute();
}

/** Somebody who signs in over the company becomes a member of a site with passwords, and has the demo password there. */
export async function admit(
  { database, clock, passwords }: Services,
  userName: string,
  site: string,
): Promise<void> {
  const person = await database
    .selectFrom('people')
    .select('id')
    .where('user_name', '=', userName)
    .executeTakeFirstOrThrow();
  const place = await database
    .selectFrom('sites')
    .select('id')
    .where('name', '=', site)
    .executeTakeFirstOrThrow();
  const now = clock.now();
  await database
    .insertInto('memberships')
    .values({ person_id: person.id, site_id: place.id, created_at: now })
    .execute();
  const hash = await passwords.hash(demoPassword);
  await database
    .insertInto('credentials')
    .values({ person_id: person.id, password_hash: hash, changed_at: now })
    .execute();
}
