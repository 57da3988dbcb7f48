import { signInNameKey } from '../lib/names.ts';
import type { Random } from '../lib/random.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import type { Connection, ExternalProof } from './connection.ts';

type Executor = Database | DatabaseTransaction;
type Identity = { connectionId: string; subject: string };

/** Finds the user linked to a subject, and records the use, in one statement. */
export async function findLinkedPersonId(
  database: Executor,
  { connectionId, subject }: Identity,
  now: Date,
): Promise<string | undefined> {
  const row = await database
    .updateTable('external_identities')
    .set({ last_used_at: now })
    .where('connection_id', '=', connectionId)
    .where('subject', '=', subject)
    .returning('person_id')
    .executeTakeFirst();
  return row?.person_id;
}

/** Whether a user is already linked to this provider, under any subject. */
export async function hasIdentity(
  database: Executor,
  connectionId: string,
  personId: string,
): Promise<boolean> {
  const row = await database
    .selectFrom('external_identities')
    .select('subject')
    .where('connection_id', '=', connectionId)
    .where('person_id', '=', personId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Finds a user by sign-in name and locks the row until the transaction ends, so that only one of two subjects is linked. */
export async function lockPersonByName(
  transaction: DatabaseTransaction,
  email: string,
): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('people')
    .innerJoin('sign_in_names', 'sign_in_names.person_id', 'people.id')
    .select('people.id')
    .where('sign_in_names.name_key', '=', signInNameKey(email))
    .forUpdate('people')
    .executeTakeFirst();
  return row?.id;
}

export async function linkIdentity(
  transaction: DatabaseTransaction,
  { connectionId, subject }: Identity,
  personId: string,
  now: Date,
): Promise<void> {
  await transaction
    .insertInto('external_identities')
    .values({
      connection_id: connectionId,
      subject,
      person_id: personId,
      created_at: now,
      last_used_at: now,
    })
    .execute();
}

/**
 * Creates a user from the provider's claims, as a member of every site that signs in only through this connection.
 * Sites that also allow passwords invite their users themselves.
 */
export async function provisionPerson(
  transaction: DatabaseTransaction,
  random: Random,
  connection: Connection,
  { firstName, lastName }: ExternalProof,
  email: string,
  now: Date,
): Promise<string> {
  const id = random.token(16);
  await transaction
    .insertInto('people')
    .values({
      id,
      user_name: email,
      email,
      first_name: firstName ?? (email.split('@', 1)[0] || email),
      last_name: lastName ?? '',
      created_at: now,
      updated_at: now,
    })
    .execute();
  await transaction
    .insertInto('sign_in_names')
    .values({ name_key: signInNameKey(email), person_id: id })
    .execute();
  await transaction
    .insertInto('memberships')
    .columns(['person_id', 'site_id', 'created_at'])
    .expression((select) =>
      select
        .selectFrom('sites')
        .select((columns) => [columns.val(id).as('person_id'), 'sites.id', columns.val(now).as('created_at')])
        .where('sites.connection_id', '=', connection.id)
        .where('sites.allow_password_entry', '=', false)
        .where('sites.disabled_at', 'is', null),
    )
    .execute();
  return id;
}
