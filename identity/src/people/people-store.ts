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
  status: PersonStatus;
  /** Absent for people who sign in elsewhere. */
  passwordHash: string | undefined;
  mustChangePassword: boolean;
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
  const row = await selectPeople(database)
    .select('credentials.password_hash')
    .innerJoin('sign_in_names', 'sign_in_names.person_id', 'people.id')
    .where('sign_in_names.name_key', '=', signInNameKey(userNameOrEmail))
    .executeTakeFirst();
  return row && toPerson(row);
}

/** What is known of people, without what proves them. */
export function selectPeople(database: Database | DatabaseTransaction) {
  return database
    .selectFrom('people')
    .leftJoin('credentials', 'credentials.person_id', 'people.id')
    .select([
      'people.id',
      'people.user_name',
      'people.email',
      'people.first_name',
      'people.last_name',
      'people.boards_user_name',
      'people.phone_number',
      'people.status',
      'credentials.must_change',
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
    status: row.status,
    passwordHash: row.password_hash ?? undefined,
    mustChangePassword: row.must_change ?? false,
  };
}
