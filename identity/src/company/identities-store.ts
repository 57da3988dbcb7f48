import { typedSignInName } from '@anteroom/contract/typed-text';
import { sql } from 'kysely';
import { signInNameKey } from '../lib/names.ts';
import type { Random } from '../lib/random.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import type { Connection, ExternalProof } from './connection.ts';

type Executor = Database | DatabaseTransaction;
type Identity = { connectionId: string; subject: string };

/** Finds the user linked to a subject, and records the use, in one statement. */
export async function findLinkedUserId(
  database: Executor,
  { connectionId, subject }: Identity,
  now: Date,
): Promise<string | undefined> {
  const row = await database
    .updateTable('external_identities')
    .set({ last_used_at: now })
    .where('connection_id', '=', connectionId)
    .where('subject', '=', subject)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

/** Whether a user is already linked to this provider, under any subject. */
export async function hasIdentity(
  database: Executor,
  connectionId: string,
  userId: string,
): Promise<boolean> {
  const row = await database
    .selectFrom('external_identities')
    .select('subject')
    .where('connection_id', '=', connectionId)
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Finds a user by sign-in name and locks the row until the transaction ends, so that only one of two subjects is linked. */
export async function lockUserByName(
  transaction: DatabaseTransaction,
  email: string,
): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('users')
    .innerJoin('sign_in_names', 'sign_in_names.user_id', 'users.id')
    .select('users.id')
    .where('sign_in_names.name_key', '=', signInNameKey(email))
    .forUpdate('users')
    .executeTakeFirst();
  return row?.id;
}

export async function linkIdentity(
  transaction: DatabaseTransaction,
  { connectionId, subject }: Identity,
  userId: string,
  now: Date,
): Promise<void> {
  await transaction
    .insertInto('external_identities')
    .values({
      connection_id: connectionId,
      subject,
      user_id: userId,
      created_at: now,
      last_used_at: now,
    })
    .execute();
}

/**
 * Creates a user from the provider's claims, as a member of every site that signs in only through this connection.
 * Sites that also allow passwords invite their users themselves. The account belongs to the site of this sign-in if the
 * user becomes a member there, otherwise to the first of these sites, a parent before its children
 * (docs/decisions/093-the-home-of-an-account-that-a-company-creates.md).
 */
export async function provisionUser(
  transaction: DatabaseTransaction,
  random: Random,
  connection: Connection,
  { firstName, lastName }: ExternalProof,
  { email: givenEmail, siteId, now }: { email: string; siteId: string | undefined; now: Date },
): Promise<string> {
  const email = typedSignInName(givenEmail);
  const id = random.token(16);
  const joined = transaction
    .selectFrom('sites')
    .where('connection_id', '=', connection.id)
    .where('allow_password_entry', '=', false)
    .where('disabled_at', 'is', null);
  await transaction
    .insertInto('users')
    .values({
      id,
      user_name: email,
      email,
      first_name: firstName ?? (email.split('@', 1)[0] || email),
      last_name: lastName ?? '',
      home_site_id: joined
        .select('id')
        .orderBy(sql`id = ${siteId ?? ''}`, 'desc')
        .orderBy('parent_id', (order) => order.asc().nullsFirst())
        .orderBy('sequence')
        .orderBy('name')
        .limit(1),
      created_at: now,
      updated_at: now,
    })
    .execute();
  await transaction
    .insertInto('sign_in_names')
    .values({ name_key: signInNameKey(email), user_id: id })
    .execute();
  await transaction
    .insertInto('memberships')
    .columns(['user_id', 'site_id', 'created_at'])
    .expression(
      joined.select((columns) => [
        columns.val(id).as('user_id'),
        'sites.id',
        columns.val(now).as('created_at'),
      ]),
    )
    .execute();
  return id;
}
