import { sql } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';

// All statements on the tables `passkeys` and `passkey_refusals`.

/** A passkey as shown to its user and to operators. */
export type Passkey = {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | undefined;
  /** Whether its manager synchronises it between devices. */
  isSynchronised: boolean;
  /** The transports that the browser reported at its creation. */
  transports: string[];
};

/** A verified new passkey. */
export type NewPasskey = {
  credentialId: string;
  publicKey: string;
  signCount: number;
  backupEligible: boolean;
  backedUp: boolean;
  transports: string[];
  aaguid: string;
  name: string;
};

/** The data to verify an assertion. */
export type StoredPasskey = { credentialId: string; userId: string; publicKey: string };

/** The maximum number of passkeys per user. Every enrolment sends the list of them to the browser. */
const mostPasskeys = 20;

/** How long a user who has declined a passkey is not asked again. */
const refusalSeconds = 90 * 24 * 60 * 60;

export async function listPasskeys(
  database: Database | DatabaseTransaction,
  userId: string,
): Promise<Passkey[]> {
  const rows = await database
    .selectFrom('passkeys')
    .select(['credential_id', 'name', 'created_at', 'last_used_at', 'backed_up', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('credential_id')
    .execute();
  return rows.map((row) => ({
    id: row.credential_id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? undefined,
    isSynchronised: row.backed_up,
    transports: row.transports,
  }));
}

export async function findPasskey(
  database: Database,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  const row = await database
    .selectFrom('passkeys')
    .select(['user_id', 'public_key'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  return row && { credentialId, userId: row.user_id, publicKey: row.public_key };
}

/**
 * Stores a passkey. Undefined if the account has changed since the enrolment began, if the user already has the maximum
 * number of passkeys, or if the passkey is already registered.
 */
export async function insertPasskey(
  transaction: DatabaseTransaction,
  account: { id: string; securityVersion: number },
  passkey: NewPasskey,
  now: Date,
): Promise<Passkey | undefined> {
  // Serialises counting and inserting. It is a statement of its own, because a statement that has waited for a lock
  // still counts the rows from before the wait.
  const unchanged = await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', account.id)
    .where('status', '=', 'active')
    .where('security_version', '=', account.securityVersion)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (unchanged === undefined) return undefined;
  const { rows } = await sql<{ name: string }>`
    insert into passkeys (credential_id, user_id, public_key, sign_count, backup_eligible, backed_up, transports, aaguid, name, created_at)
    select ${passkey.credentialId}, ${account.id}, ${passkey.publicKey}, ${passkey.signCount}::bigint, ${passkey.backupEligible}::boolean,
      ${passkey.backedUp}::boolean, ${JSON.stringify(passkey.transports)}::jsonb, ${passkey.aaguid}, ${passkey.name}, ${now}::timestamptz
    where (select count(*) from passkeys where user_id = ${account.id}) < ${mostPasskeys}
    on conflict (credential_id) do nothing
    returning name`.execute(transaction);
  if (rows.length === 0) return undefined;
  const { credentialId: id, name, backedUp: isSynchronised, transports } = passkey;
  return { id, name, createdAt: now, lastUsedAt: undefined, isSynchronised, transports };
}

/**
 * Records a use. Returns false if the authenticator's counter has not increased since the last use, which indicates a
 * cloned key. A single conditional statement, so that a second use with the same counter value fails on any node.
 */
export async function recordUse(
  database: Database,
  credentialId: string,
  { signCount, backedUp }: Pick<NewPasskey, 'signCount' | 'backedUp'>,
  now: Date,
): Promise<boolean> {
  const used = await database
    .updateTable('passkeys')
    .set({ sign_count: signCount, backed_up: backedUp, last_used_at: now })
    .where('credential_id', '=', credentialId)
    .where((where) =>
      where.or([
        where('sign_count', '<', String(signCount)),
        // Synchronised passkeys have no counter (WebAuthn, 6.1.1).
        where.and([where('sign_count', '=', '0'), where.val(signCount === 0)]),
      ]),
    )
    .returning('credential_id')
    .executeTakeFirst();
  return used !== undefined;
}

/** Returns false if the user has no such passkey. */
export async function renamePasskey(
  database: Database | DatabaseTransaction,
  userId: string,
  passkey: Pick<Passkey, 'id' | 'name'>,
): Promise<boolean> {
  const renamed = await database
    .updateTable('passkeys')
    .set({ name: passkey.name })
    .where('user_id', '=', userId)
    .where('credential_id', '=', passkey.id)
    .returning('credential_id')
    .executeTakeFirst();
  return renamed !== undefined;
}

/**
 * Removes one passkey of a user, all of them, or those created since a time, and returns their names. The caller must call
 * `revokeAccess` in the same transaction.
 */
export async function removePasskeys(
  transaction: DatabaseTransaction,
  userId: string,
  which: { id: string } | { since: Date } | 'all',
): Promise<string[]> {
  const removed = await transaction
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .$if(which !== 'all', (query) =>
      typeof which === 'object' && 'id' in which
        ? query.where('credential_id', '=', which.id)
        : query.where('created_at', '>=', typeof which === 'object' ? which.since : new Date(0)),
    )
    .returning('name')
    .execute();
  return removed.map(({ name }) => name);
}

/** Whether to offer the user a passkey: the user has none, and has not declined recently. */
export async function mayOfferPasskey(database: Database, userId: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select
    not exists (select from passkeys where user_id = ${userId}) and
    not exists (select from passkey_refusals
      where user_id = ${userId} and refused_at > ${addSeconds(now, -refusalSeconds)}) as may`.execute(
    database,
  );
  return rows[0]?.may === true;
}

/** Records that the user declined the offer. */
export async function notePasskeyRefusal(database: Database, userId: string, now: Date): Promise<void> {
  await database
    .insertInto('passkey_refusals')
    .values({ user_id: userId, refused_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ refused_at: now }))
    .execute();
}
