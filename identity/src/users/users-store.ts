import { sql } from 'kysely';
import { signInNameKey } from '../lib/sign-in-name.ts';
import type { Database, DatabaseTransaction, PersonStatus } from '../store/schema.ts';

/** Somebody who may sign in. */
export type Person = {
  id: string;
  userName: string;
  email: string | undefined;
  firstName: string;
  lastName: string;
  boardsUserName: string;
  /** E.164; absent when the second factor by SMS is not set up. */
  phoneNumber: string | undefined;
  /** The strongest factor that is set up, the one that is asked for: never a weaker one. */
  secondFactor: 'totp' | 'sms' | undefined;
  status: PersonStatus;
  /** Absent for people who sign in elsewhere. */
  passwordHash: string | undefined;
  mustChangePassword: boolean;
  /** The state of the account: it is raised with each change of password, second factor or status. */
  securityVersion: number;
};

/** The person of that id who may use the service; a disabled one is nobody. */
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

/** By user name or sign-in e-mail, disabled people included: the caller answers alike for all who may not enter. */
export async function findPersonByName(
  database: Database | DatabaseTransaction,
  userNameOrEmail: string,
): Promise<Person | undefined> {
  const row = await selectByName(database, userNameOrEmail).executeTakeFirst();
  return row && toPerson(row);
}

/** The same, and neither the name nor the account changes until the transaction ends: what is mailed goes to the address that counts. */
export async function holdPersonByName(
  transaction: DatabaseTransaction,
  userNameOrEmail: string,
): Promise<Person | undefined> {
  const row = await selectByName(transaction, userNameOrEmail)
    .forShare(['people', 'sign_in_names'])
    .executeTakeFirst();
  return row && toPerson(row);
}

function selectByName(database: Database | DatabaseTransaction, userNameOrEmail: string) {
  return selectPeople(database)
    .select('credentials.password_hash')
    .innerJoin('sign_in_names', 'sign_in_names.person_id', 'people.id')
    .where('sign_in_names.name_key', '=', signInNameKey(userNameOrEmail));
}

/**
 * Holds the accounts' rows until the transaction ends, always in the same order: no session of theirs begins or is renewed meanwhile
 * (`create-sessions.ts` shares the row), and no other change of the accounts comes in between.
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
 * The first statement of every change of a password, a second factor or a status: it holds the account's row, and whatever was verified
 * against the state before opens nothing any more. Returns the new state.
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

/** What is known of people, without what proves them. */
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

function toPerson(row: Row): Person {
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
