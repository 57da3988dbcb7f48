import { sql } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';

/** An application that is to be told now that a session has ended. */
export type DueSignOutNotice = {
  clientId: string;
  sid: string;
  personId: string;
  attempts: number;
  givenUpAt: Date;
};

/** By then whatever the application has of the session should have ended by itself: no session of ours is older. */
const keptSeconds = 12 * 60 * 60;
const firstWaitSeconds = 30;
const longestWaitSeconds = 60 * 60;

/**
 * Keeps a notice for every application of these sessions of the provider that has an address for it; in the transaction in which they
 * end, before they do: both are so or neither.
 */
export async function keepSignOutNotices(
  transaction: DatabaseTransaction,
  uids: readonly string[],
): Promise<void> {
  await sql`
    insert into sign_out_notices (client_id, sid, person_id)
    select clients.id, authorization_of.value ->> 'sid', session.account_id
    from openid_records session
    cross join lateral jsonb_each(session.payload -> 'authorizations') authorization_of
    join clients on clients.id = authorization_of.key
    where session.model = 'Session' and session.uid = any(${[...uids]})
      and session.account_id is not null
      and authorization_of.value ->> 'sid' is not null
      and clients.metadata ->> 'backchannel_logout_uri' is not null
    on conflict do nothing
  `.execute(transaction);
}

/**
 * Takes what is due, what has not been tried yet first. Each is put off in the same statement, so that of several nodes one tells it,
 * and one that dies in the middle leaves it to be told again: at least once.
 */
export async function takeDueSignOutNotices(
  database: Database,
  now: Date,
  most: number,
): Promise<DueSignOutNotice[]> {
  const rows = await database
    .updateTable('sign_out_notices')
    .set({
      attempts: sql`attempts + 1`,
      next_attempt_at: sql`${now}::timestamptz
        + least(${firstWaitSeconds} * power(2, least(attempts, 20)), ${longestWaitSeconds}) * interval '1 second'`,
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
    personId: row.person_id,
    attempts: row.attempts,
    // the statement above has set it
    givenUpAt: row.given_up_at ?? now,
  }));
}

/** The application knows, or never will. */
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
