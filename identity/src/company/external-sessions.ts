import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../lib/clock.ts';
import type { Keys } from '../lib/keys.ts';
import type { Random } from '../lib/random.ts';
import { seal, unseal } from '../lib/sealed.ts';
import { deleteInBatches } from '../store/expired-rows.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import type { ExternalProof } from './connection.ts';

/** Selects provider identifiers whose session in this service has ended. */
const isOver = sql<boolean>`not exists (select from sessions where sessions.user_id = external_sessions.user_id
  and sessions.browser_id = external_sessions.browser_id and sessions.ended_at is null)`;

type SecretKeys = Pick<Keys, 'clientSecrets'>;
type SessionOwner = { browserId: string; connectionId: string; userId: string };

/** Stores the provider's session identifiers for a browser's session, so that a sign-out on either side finds it. */
export async function storeExternalSession(
  { clock, keys, random }: { clock: Clock; keys: SecretKeys; random: Random },
  transaction: DatabaseTransaction,
  session: SessionOwner,
  {
    subject,
    sessionIndex,
    subjectQualifiers,
    idToken,
  }: Pick<ExternalProof, 'subject' | 'sessionIndex' | 'subjectQualifiers' | 'idToken'>,
): Promise<void> {
  const row = {
    connection_id: session.connectionId,
    subject,
    session_index: sessionIndex ?? null,
    subject_qualifiers: JSON.stringify(subjectQualifiers),
    user_id: session.userId,
    id_token_sealed:
      idToken === undefined ? null : seal(keys.clientSecrets, idToken, contextOf(session), random),
    created_at: clock.now(),
  };
  await transaction
    .insertInto('external_sessions')
    .values({ browser_id: session.browserId, ...row })
    .onConflict((conflict) => conflict.column('browser_id').doUpdateSet(row))
    .execute();
}

/** The context that an encrypted ID token is bound to. */
const contextOf = ({ browserId, connectionId }: SessionOwner): string =>
  `id token of ${browserId} at ${connectionId}`;

/** Finds the provider's session identifiers for a browser's session; undefined if the session began without a provider or belongs to another user. */
export async function findExternalSession(
  database: Database,
  browserId: string,
  userId: string,
): Promise<
  | ({ connectionId: string } & Pick<ExternalProof, 'subject' | 'sessionIndex' | 'subjectQualifiers'>)
  | undefined
> {
  const row = await database
    .selectFrom('external_sessions')
    .select(['connection_id', 'subject', 'session_index', 'subject_qualifiers'])
    .where('browser_id', '=', browserId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return (
    row && {
      connectionId: row.connection_id,
      subject: row.subject,
      sessionIndex: row.session_index ?? undefined,
      subjectQualifiers: row.subject_qualifiers,
    }
  );
}

/** Whether a session that began at a provider has ended in this service. */
export async function isExternalSessionOver(
  database: Database,
  { browserId, userId }: Pick<SessionOwner, 'browserId' | 'userId'>,
): Promise<boolean> {
  const lasting = await database
    .selectFrom('external_sessions')
    .select('browser_id')
    .where('browser_id', '=', browserId)
    .where('user_id', '=', userId)
    .where((where) => where.not(isOver))
    .executeTakeFirst();
  return lasting === undefined;
}

/**
 * Takes the ID token of an ended session and deletes the provider's session identifiers. Succeeds once. Undefined if
 * none was stored, if its encryption key is gone, or while the session is active.
 */
export async function takeIdToken(
  { database, keys }: { database: Database; keys: SecretKeys },
  owner: SessionOwner,
): Promise<string | undefined> {
  const row = await database
    .deleteFrom('external_sessions')
    .where('browser_id', '=', owner.browserId)
    .where('user_id', '=', owner.userId)
    .where('connection_id', '=', owner.connectionId)
    .where(isOver)
    .returning('id_token_sealed')
    .executeTakeFirst();
  const sealed = row?.id_token_sealed ?? undefined;
  return sealed && unseal(keys.clientSecrets, sealed, contextOf(owner));
}

/** Identifies the sessions that a provider has ended: all of a subject, one session id, or both. */
export type EndedByCompany =
  | { subject: string; sessionIndexes?: readonly string[] }
  | { subject?: undefined; sessionIndexes: readonly [string, ...string[]] };

/** A sign-out message from an OpenID or SAML provider, verified but not yet checked for reuse. */
export type VerifiedSignOut = EndedByCompany & Omit<SingleUseMessage, 'connectionId'>;

/**
 * Finds the sessions that a provider has ended, among those that began at it, and returns their keyed hashes. A later
 * session of the same browser that began in another way is not affected.
 */
export async function findSessionsOfCompany(
  transaction: DatabaseTransaction,
  { connectionId, subject, sessionIndexes = [] }: EndedByCompany & { connectionId: string },
): Promise<string[]> {
  const rows = await transaction
    .selectFrom('sessions')
    .innerJoin('external_sessions', (join) =>
      join
        .onRef('sessions.browser_id', '=', 'external_sessions.browser_id')
        .onRef('sessions.user_id', '=', 'external_sessions.user_id')
        .onRef('sessions.connection_id', '=', 'external_sessions.connection_id'),
    )
    .select('sessions.id_hash')
    .where('external_sessions.connection_id', '=', connectionId)
    .$if(subject !== undefined, (query) => query.where('external_sessions.subject', '=', subject ?? ''))
    .$if(sessionIndexes.length > 0, (query) =>
      query.where('external_sessions.session_index', 'in', [...sessionIndexes]),
    )
    .where('sessions.ended_at', 'is', null)
    .execute();
  return rows.map((row) => row.id_hash);
}

/** Deletes the identifiers of ended sessions and returns their number. */
export function pruneExternalSessions(database: Database): Promise<number> {
  return deleteInBatches(database, { table: 'external_sessions', key: ['browser_id'] }, isOver);
}

/** A message from a provider that is accepted once: an assertion, or a logout request or token. */
type SingleUseMessage = { connectionId: string; id: string; rememberUntil: Date };

/**
 * Records a message and returns whether this is its first use, across all nodes. Stores a plain hash, because the id
 * is not secret and must be recognised after a key rotation.
 */
export async function isFirstUse(
  transaction: Database | DatabaseTransaction,
  { connectionId, id, rememberUntil }: SingleUseMessage,
): Promise<boolean> {
  const noted = await transaction
    .insertInto('used_assertions')
    .values({
      id_hash: createHash('sha256').update(`${connectionId} ${id}`).digest('base64url'),
      expires_at: rememberUntil,
    })
    .onConflict((conflict) => conflict.column('id_hash').doNothing())
    .returning('id_hash')
    .executeTakeFirst();
  return noted !== undefined;
}
