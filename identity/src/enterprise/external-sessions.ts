import type { ExpressionBuilder } from 'kysely';
import type { Clock } from '../lib/clock.ts';
import type { Keys } from '../lib/keys.ts';
import type { Random } from '../lib/random.ts';
import { seal, unseal } from '../lib/sealed.ts';
import type { Database, DatabaseTransaction, Tables } from '../store/schema.ts';
import type { ExternalProof } from './connection.ts';
import type { OnceMessage } from './used-messages-store.ts';

type SecretKeys = Pick<Keys, 'clientSecrets'>;
type Whose = { browserId: string; connectionId: string; personId: string };

/** Remembers what a provider calls the session that a browser has with us, so that a sign-out on either side finds it. */
export async function keepExternalSession(
  { clock, keys, random }: { clock: Clock; keys: SecretKeys; random: Random },
  transaction: DatabaseTransaction,
  session: Whose,
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
    person_id: session.personId,
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

/** What a sealed ID token belongs to. */
const contextOf = ({ browserId, connectionId }: Whose): string =>
  `id token of ${browserId} at ${connectionId}`;

/** What a provider calls the session that a browser has with us; undefined where it began with none, or with another person's. */
export async function findExternalSession(
  database: Database,
  browserId: string,
  personId: string,
): Promise<
  | ({ connectionId: string } & Pick<ExternalProof, 'subject' | 'sessionIndex' | 'subjectQualifiers'>)
  | undefined
> {
  const row = await database
    .selectFrom('external_sessions')
    .select(['connection_id', 'subject', 'session_index', 'subject_qualifiers'])
    .where('browser_id', '=', browserId)
    .where('person_id', '=', personId)
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

/** Whether the session that a provider began has ended here. */
export async function isExternalSessionOver(
  database: Database,
  { browserId, personId }: Pick<Whose, 'browserId' | 'personId'>,
): Promise<boolean> {
  const lasting = await database
    .selectFrom('external_sessions')
    .select('browser_id')
    .where('browser_id', '=', browserId)
    .where('person_id', '=', personId)
    .where((where) => where.not(isOver(where)))
    .executeTakeFirst();
  return lasting === undefined;
}

/**
 * The ID token of a session that is over, once: what the provider calls it is forgotten with it. Undefined when none was kept, when it was
 * sealed with a key that is gone, and while the session lasts.
 */
export async function takeIdToken(
  { database, keys }: { database: Database; keys: SecretKeys },
  whose: Whose,
): Promise<string | undefined> {
  const row = await database
    .deleteFrom('external_sessions')
    .where('browser_id', '=', whose.browserId)
    .where('person_id', '=', whose.personId)
    .where('connection_id', '=', whose.connectionId)
    .where(isOver)
    .returning('id_token_sealed')
    .executeTakeFirst();
  const sealed = row?.id_token_sealed ?? undefined;
  return sealed && unseal(keys.clientSecrets, sealed, contextOf(whose));
}

/** Whose sessions a provider has ended: a subject's, those that it calls so, or what is both. */
export type EndedThere =
  | { subject: string; sessionIndexes?: readonly string[] }
  | { subject?: undefined; sessionIndexes: readonly [string, ...string[]] };

/** A sign-out of a provider, of either kind, that has passed every check but whether it was used before. */
export type HeardSignOut = EndedThere & Omit<OnceMessage, 'connectionId'>;

/**
 * The sessions that came from a provider and that it has ended. A browser that has signed in otherwise meanwhile keeps what it has.
 * Returns their keyed hashes.
 */
export async function findSessionsOfProvider(
  transaction: DatabaseTransaction,
  { connectionId, subject, sessionIndexes = [] }: EndedThere & { connectionId: string },
): Promise<string[]> {
  const rows = await transaction
    .selectFrom('sessions')
    .innerJoin('external_sessions', (join) =>
      join
        .onRef('sessions.browser_id', '=', 'external_sessions.browser_id')
        .onRef('sessions.person_id', '=', 'external_sessions.person_id')
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

/** Forgets what providers call sessions that are over; answers how many. */
export async function pruneExternalSessions(database: Database): Promise<number> {
  const { numDeletedRows } = await database.deleteFrom('external_sessions').where(isOver).executeTakeFirst();
  return Number(numDeletedRows);
}

/** No session of ours stands on it any more. */
function isOver(where: ExpressionBuilder<Tables, 'external_sessions'>) {
  return where.not(
    where.exists(
      where
        .selectFrom('sessions')
        .select('sessions.id_hash')
        .whereRef('sessions.person_id', '=', 'external_sessions.person_id')
        .whereRef('sessions.browser_id', '=', 'external_sessions.browser_id')
        .where('sessions.ended_at', 'is', null),
    ),
  );
}
