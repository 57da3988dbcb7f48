import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import { countAttempt } from '../store/backoff.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';

/** A client to notify that a session has ended. */
export type DueSignOutNotice = {
  clientId: string;
  sid: string;
  userId: string;
  attempts: number;
  givenUpAt: Date;
};

/** How long a notice is retried. No session lasts longer, so the client's own session should have expired by then. */
const keptSeconds = 12 * 60 * 60;
const waits = { firstSeconds: 30, longestSeconds: 60 * 60 };

/**
 * Stores a notice for every client of these provider sessions that has a back-channel logout URI. Call it in the
 * transaction that ends the sessions, before they end. `where`: a condition on `session`, the row of a provider session,
 * and `authorization_of`, the entry of a client in it.
 */
export async function storeSignOutNotices(
  transaction: DatabaseTransaction,
  where: RawBuilder<boolean>,
): Promise<void> {
  await sql`
    insert into sign_out_notices (client_id, sid, user_id)
    select clients.id, authorization_of.value ->> 'sid', session.account_id
    from openid_records session
    cross join lateral jsonb_each(session.payload -> 'authorizations') authorization_of
    join clients on clients.id = authorization_of.key
    where session.model = 'Session' and ${where}
      and session.account_id is not null
      and authorization_of.value ->> 'sid' is not null
      and clients.metadata ->> 'backchannel_logout_uri' is not null
    on conflict do nothing
  `.execute(transaction);
}

/**
 * Takes the due notices, untried ones first. The same statement postpones each of them, so that only one of several
 * nodes sends it. If that node stops, another node retries the notice, so a notice may be sent twice.
 */
export async function takeDueSignOutNotices(
  database: Database,
  now: Date,
  most: number,
): Promise<DueSignOutNotice[]> {
  const rows = await database
    .updateTable('sign_out_notices')
    .set({
      ...countAttempt(now, waits),
      given_up_at: sql`coalesce(given_up_at, ${addSeconds(now, keptSeconds)})`,
    })
    .where((where) =>
      where(
        where.refTuple('client_id', 'sid'),
        'in',
        where
          .selectFrom('sign_out_notices')
          .select(['client_id', 'sid'])
          .where('next_attempt_at', '<=', now)
          .orderBy('attempts')
          .orderBy('next_attempt_at')
          .limit(most)
          .forUpdate()
          .skipLocked()
          .$asTuple('client_id', 'sid'),
      ),
    )
    .returningAll()
    .execute();
  return rows.map((row) => ({
    clientId: row.client_id,
    sid: row.sid,
    userId: row.user_id,
    attempts: row.attempts,
    // The statement above has always set it; this satisfies the type.
    givenUpAt: row.given_up_at ?? now,
  }));
}

/** Deletes a notice that was delivered or given up. */
export async function forgetSignOutNotice(
  database: Database,
  { clientId, sid }: Pick<DueSignOutNotice, 'clientId' | 'sid'>,
): Promise<void> {
  await database
    .deleteFrom('sign_out_notices')
    .where('client_id', '=', clientId)
    .where('sid', '=', sid)
    .execute();
}
