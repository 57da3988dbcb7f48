import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/schema.ts';
import type { ExternalProof } from './connection.ts';

/** Remembers what a provider calls the session that a browser has with us, so that a sign-out over there finds it. */
export async function keepExternalSession(
  { database, clock }: { database: Database; clock: Clock },
  session: { browserId: string; connectionId: string; personId: string },
  { subject, sessionIndex }: Pick<ExternalProof, 'subject' | 'sessionIndex'>,
): Promise<void> {
  const row = {
    connection_id: session.connectionId,
    subject,
    session_index: sessionIndex ?? null,
    person_id: session.personId,
    created_at: clock.now(),
  };
  await database
    .insertInto('external_sessions')
    .values({ browser_id: session.browserId, ...row })
    .onConflict((conflict) => conflict.column('browser_id').doUpdateSet(row))
    .execute();
}

/** What a provider calls the session that a browser has with us; undefined where it began with none, or with another person's. */
export async function findExternalSession(
  database: Database,
  browserId: string,
  personId: string,
): Promise<{ connectionId: string; subject: string; sessionIndex: string | undefined } | undefined> {
  const row = await database
    .selectFrom('external_sessions')
    .select(['connection_id', 'subject', 'session_index'])
    .where('browser_id', '=', browserId)
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return (
    row && {
      connectionId: row.connection_id,
      subject: row.subject,
      sessionIndex: row.session_index ?? undefined,
    }
  );
}

/** One session of ours that a provider has ended. */
export type EndedSession = { idHash: string; browserId: string; personId: string };

/**
 * Ends the sessions that came from a provider for that subject; with `sessionIndexes` those alone that it calls so. A browser that has
 * signed in otherwise meanwhile keeps what it has. Answers those that ended, for telling applications and the audit.
 */
export async function endSessionsOfSubject(
  { database, clock }: { database: Database; clock: Clock },
  {
    connectionId,
    subject,
    sessionIndexes = [],
  }: {
    connectionId: string;
    subject: string;
    sessionIndexes?: readonly string[];
  },
): Promise<EndedSession[]> {
  const rows = await database
    .updateTable('sessions')
    .from('external_sessions')
    .set({ ended_at: clock.now() })
    .whereRef('sessions.browser_id', '=', 'external_sessions.browser_id')
    .whereRef('sessions.person_id', '=', 'external_sessions.person_id')
    .whereRef('sessions.connection_id', '=', 'external_sessions.connection_id')
    .where('external_sessions.connection_id', '=', connectionId)
    .where('external_sessions.subject', '=', subject)
    .$if(sessionIndexes.length > 0, (query) =>
      query.where('external_sessions.session_index', 'in', [...sessionIndexes]),
    )
    .where('sessions.ended_at', 'is', null)
    .returning(['sessions.id_hash', 'sessions.browser_id', 'external_sessions.person_id'])
    .execute();
  return rows.map((row) => ({ idHash: row.id_hash, browserId: row.browser_id, personId: row.person_id }));
}

/** Forgets what providers call sessions that are over; answers how many. */
export async function pruneExternalSessions(database: Database): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('external_sessions')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('sessions')
            .select('sessions.id_hash')
            .whereRef('sessions.person_id', '=', 'external_sessions.person_id')
            .whereRef('sessions.browser_id', '=', 'external_sessions.browser_id')
            .where('sessions.ended_at', 'is', null),
        ),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
