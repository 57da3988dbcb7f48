import { signInNameKey } from '../lib/names.ts';
import { sql } from 'kysely';
import { hasPasskey, toFactorOwner } from '../factors/factor.ts';
import type { FactorOwner } from '../factors/factor.ts';
import { compileOnce } from '../store/compiled-query.ts';
import type { Database, DatabaseTransaction, UserStatus } from '../store/schema.ts';

/** A user, with what decides which second factors the user has. */
export type User = FactorOwner & {
  id: string;
  userName: string;
  email: string | undefined;
  firstName: string;
  lastName: string;
  boardsUserName: string;
  status: UserStatus;
  /** Undefined for users who sign in only at an identity provider. */
  passwordHash: string | undefined;
  mustChangePassword: boolean;
  /** The version of the account's state. Every change of password, second factor or status increments it. */
  securityVersion: number;
};

/** The user with this id, unless disabled. */
export async function findActiveUser(
  database: Database | DatabaseTransaction,
  id: string,
): Promise<User | undefined> {
  const row = await selectById(database, id).where('users.status', '=', 'active').executeTakeFirst();
  return row && toUser(row);
}

const selectById = (database: Database | DatabaseTransaction, id: string) =>
  selectUsersOnly(database).select('credentials.password_hash').where('users.id', '=', id);

/** The user with this id, including a disabled one, for operators. */
export async function findUserById(database: Database, id: string): Promise<User | undefined> {
  const row = await selectById(database, id).executeTakeFirst();
  return row && toUser(row);
}

/** Like `findUserById`, with a share lock on the account until the transaction ends, so that mail goes to the current address. */
export async function findUserByIdForShare(
  transaction: DatabaseTransaction,
  id: string,
): Promise<User | undefined> {
  const row = await selectById(transaction, id).forShare('users').executeTakeFirst();
  return row && toUser(row);
}

/**
 * Finds a user by user name or sign-in e-mail, including disabled users: the caller gives the same answer for all users
 * who cannot sign in.
 */
export async function findUserByName(
  database: Database | DatabaseTransaction,
  userNameOrEmail: string,
): Promise<User | undefined> {
  const { rows } = await selectUserByName(database, userNameOrEmail).execute(database);
  const [row] = rows;
  return row && toUser(row);
}

/**
 * Like `findUserByName`, with a share lock on name and account until the transaction ends, so that mail goes to the
 * current address.
 */
export async function findUserByNameForShare(
  transaction: DatabaseTransaction,
  userNameOrEmail: string,
): Promise<User | undefined> {
  const row = await selectByNameKey(transaction, signInNameKey(userNameOrEmail))
    .forShare(['users', 'sign_in_names'])
    .executeTakeFirst();
  return row && toUser(row);
}

/** The query of `findUserByName`, for use in larger statements. */
export function selectUserByName(database: Database | DatabaseTransaction, userNameOrEmail: string) {
  return selectByNameKeyOnce(database, { nameKey: signInNameKey(userNameOrEmail) });
}

const selectByNameKey = (database: Database | DatabaseTransaction, nameKey: string) =>
  selectUsersOnly(database)
    .select('credentials.password_hash')
    .innerJoin('sign_in_names', 'sign_in_names.user_id', 'users.id')
    .where('sign_in_names.name_key', '=', nameKey);
const selectByNameKeyOnce = compileOnce((database, { nameKey }: { nameKey: string }) =>
  selectByNameKey(database, nameKey),
);

/**
 * Locks the rows of the accounts until the transaction ends, in the order of their ids to avoid deadlocks. Until then
 * no session of these users begins or is renewed (`create-sessions.ts` takes a share lock), and no other transaction
 * changes the accounts.
 */
export async function lockUsers(transaction: DatabaseTransaction, userIds: readonly string[]): Promise<void> {
  await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', sql<string>`any(${[...userIds]})`)
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
  userId: string,
): Promise<number> {
  const row = await transaction
    .updateTable('users')
    .set({ security_version: sql`security_version + 1` })
    .where('id', '=', userId)
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
  userId: string,
  { phoneNumber, at, since }: { phoneNumber: string | undefined; at: Date; since?: Date },
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({
      phone_number: phoneNumber ?? null,
      phone_number_set_at: phoneNumber === undefined ? null : at,
      updated_at: at,
    })
    .where('id', '=', userId)
    .$if(since !== undefined, (query) => query.where('phone_number_set_at', '>=', since ?? at))
    .execute();
}

/** Records that the user receives mail at the present address. */
export async function markEmailVerified(transaction: DatabaseTransaction, userId: string): Promise<void> {
  await transaction
    .updateTable('users')
    .set((users) => ({ verified_email: users.ref('email') }))
    .where('id', '=', userId)
    .execute();
}

export async function savePreferences(
  database: Database,
  userId: string,
  { recentSitesFirst }: { recentSitesFirst: boolean },
): Promise<void> {
  await database
    .updateTable('users')
    .set({ recent_sites_first: recentSitesFirst })
    .where('id', '=', userId)
    .execute();
}

/** Selects the columns of a user, without the password hash. */
export function selectUsersOnly(database: Database | DatabaseTransaction) {
  return database
    .selectFrom('users')
    .leftJoin('credentials', 'credentials.user_id', 'users.id')
    .leftJoin('authenticator_apps', 'authenticator_apps.user_id', 'users.id')
    .select([
      'users.id',
      'users.user_name',
      'users.email',
      'users.first_name',
      'users.last_name',
      'users.boards_user_name',
      'users.phone_number',
      'users.status',
      'users.security_version',
      'credentials.must_change',
      'users.verified_email',
      'authenticator_apps.user_id as app_of',
    ])
    .select(hasPasskey);
}

type Row = {
  id: string;
  user_name: string;
  email: string | null;
  first_name: string;
  last_name: string;
  boards_user_name: string | null;
  phone_number: string | null;
  status: UserStatus;
  password_hash: string | null;
  must_change: boolean | null;
  verified_email: string | null;
  app_of: string | null;
  has_passkey: boolean;
  security_version: number;
};

export function toUser(row: Row): User {
  return {
    id: row.id,
    userName: row.user_name,
    email: row.email ?? undefined,
    firstName: row.first_name,
    lastName: row.last_name,
    boardsUserName: row.boards_user_name ?? row.user_name,
    ...toFactorOwner(row, row.app_of !== null),
    status: row.status,
    passwordHash: row.password_hash ?? undefined,
    mustChangePassword: row.must_change ?? false,
    securityVersion: row.security_version,
  };
}
