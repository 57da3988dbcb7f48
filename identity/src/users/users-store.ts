import { sql } from 'kysely';
import { signInNameKey } from '../lib/names.ts';
import type { Database, DatabaseTransaction, PersonStatus } from '../store/schema.ts';

/** A user. */
export type Person = {
  id: string;
  userName: string;
  email: string | undefined;
  firstName: string;
  lastName: string;
  boardsUserName: string;
  /** In E.164 format; undefined if the user has not set up SMS codes. */
  phoneNumber: string | undefined;
  /** The strongest factor with codes that the user has set up. */
  secondFactor: 'totp' | 'sms' | undefined;
  status: PersonStatus;
  /** Undefined for users who sign in only at an identity provider. */
  passwordHash: string | undefined;
  mustChangePassword: boolean;
  /** The version of the account's state. Every change of password, second factor or status increments it. */
  securityVersion: number;
};

/** The user with this id, unless disabled. */
export async function findActivePerson(
  database: Database | DatabaseTransaction,
  id: string,
): Promise<Person | undefined> {
  const row = await selectPeople(database)
    .select('credentials.password_hash')
    .where('people.id', '=', id)
    .where('people.status', '=', 'active')
    .executeTakeFirst();
  return row && toPerson(row);
}

/**
 * Finds a user by user name or sign-in e-mail, including disabled users: the caller gives the same answer for all users
 * who cannot sign in.
 */
export async function findPersonByName(
  database: Database | DatabaseTransaction,
  userNameOrEmail: string,
): Promise<Person | undefined> {
  const row = await selectPersonByName(database, userNameOrEmail).executeTakeFirst();
  return row && toPerson(row);
}

/**
 * Like `findPersonByName`, with a share lock on name and account until the transaction ends, so that mail goes to the
 * current address.
 */
export async function findPersonByNameForShare(
  transaction: DatabaseTransaction,
  userNameOrEmail: string,
): Promise<Person | undefined> {
  const row = await selectPersonByName(transaction, userNameOrEmail)
    .forShare(['people', 'sign_in_names'])
    .executeTakeFirst();
  return row && toPerson(row);
}

/** The query of `findPersonByName`, for use in larger statements. */
export function selectPersonByName(database: Database | DatabaseTransaction, userNameOrEmail: string) {
  return selectPeople(database)
    .select('credentials.password_hash')
    .innerJoin('sign_in_names', 'sign_in_names.person_id', 'people.id')
    .where('sign_in_names.name_key', '=', signInNameKey(userNameOrEmail));
}

/**
 * Locks the rows of the accounts until the transaction ends, in the order of their ids to avoid deadlocks. Until then
 * no session of these users begins or is renewed (`create-sessions.ts` takes a share lock), and no other transaction
 * changes the accounts.
 */
export async function lockPeople(
  transaction: DatabaseTransaction,
  personIds: readonly string[],
): Promise<void> {
  await transaction
    .selectFrom('people')
    .select('id')
    .where('id', '=', sql<string>`any(${[...personIds]})`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/**
 * Increments the security version of an account and returns it. It is the first statement of every change of a password,
 * a second factor or a status: it locks the row of the account, and it invalidates everything that was verified against
 * the previous version.
 */
export async function raiseSecurityVersion(
  transaction: DatabaseTransaction,
  personId: string,
): Promise<number> {
  const row = await transaction
    .updateTable('people')
    .set({ security_version: sql`security_version + 1` })
    .where('id', '=', personId)
    .returning('security_version')
    .executeTakeFirstOrThrow();
  return row.security_version;
}

/**
 * Sets or removes the phone number on the user's request. With `since`, only if the user set the current number after
 * this time.
 */
export async function setOwnPhoneNumber(
  transaction: DatabaseTransaction,
  personId: string,
  { phoneNumber, at, since }: { phoneNumber: string | undefined; at: Date; since?: Date },
): Promise<void> {
  await transaction
    .updateTable('people')
    .set({
      phone_number: phoneNumber ?? null,
      phone_number_set_at: phoneNumber === undefined ? null : at,
      updated_at: at,
    })
    .where('id', '=', personId)
    .$if(since !== undefined, (query) => query.where('phone_number_set_at', '>=', since ?? at))
    .execute();
}

export async function savePreferences(
  database: Database,
  personId: string,
  { recentSitesFirst }: { recentSitesFirst: boolean },
): Promise<void> {
  await database
    .updateTable('people')
    .set({ recent_sites_first: recentSitesFirst })
    .where('id', '=', personId)
    .execute();
}

/** Selects the columns of a user, without the password hash. */
export function selectPeople(database: Database | DatabaseTransaction) {
  return database
    .selectFrom('people')
    .leftJoin('credentials', 'credentials.person_id', 'people.id')
    .leftJoin('authenticator_apps', 'authenticator_apps.person_id', 'people.id')
    .select([
      'people.id',
      'people.user_name',
      'people.email',
      'people.first_name',
      'people.last_name',
      'people.boards_user_name',
      'people.phone_number',
      'people.status',
      'people.security_version',
      'credentials.must_change',
      'authenticator_apps.person_id as app_of',
    ]);
}

type Row = {
  id: string;
  user_name: string;
  email: string | null;
  first_name: string;
  last_name: string;
  boards_user_name: string | null;
  phone_number: string | null;
  status: PersonStatus;
  password_hash: string | null;
  must_change: boolean | null;
  app_of: string | null;
  security_version: number;
};

export function toPerson(row: Row): Person {
  return {
    id: row.id,
    userName: row.user_name,
    email: row.email ?? undefined,
    firstName: row.first_name,
    lastName: row.last_name,
    boardsUserName: row.boards_user_name ?? row.user_name,
    phoneNumber: row.phone_number ?? undefined,
    secondFactor: row.app_of !== null ? 'totp' : row.phone_number !== null ? 'sms' : undefined,
    status: row.status,
    passwordHash: row.password_hash ?? undefined,
    mustChangePassword: row.must_change ?? false,
    securityVersion: row.security_version,
  };
}
