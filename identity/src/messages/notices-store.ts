import { sql } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import type { Mail } from './messages.ts';

/** A notice that is due. */
export type DueNotice = { id: string; mail: Mail; attempts: number; givenUpAt: Date };

/** After this time a notice is useless: users must learn of a changed password soon. */
const keptSeconds = 12 * 60 * 60;
const firstWaitSeconds = 60;
const longestWaitSeconds = 60 * 60;

/** Stores a notice in the transaction of the change that it reports. */
export async function storeNotice(
  transaction: DatabaseTransaction,
  { id, mail }: { id: string; mail: Mail },
  now: Date,
): Promise<void> {
  await transaction
    .insertInto('notices')
    .values({
      id,
      recipient: mail.to,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      next_attempt_at: now,
      given_up_at: addSeconds(now, keptSeconds),
    })
    .execute();
}

/**
 * Takes the due notices, oldest first. The same statement postpones each of them, so that only one of several nodes
 * sends it, and another node retries it if that node stops: at least once.
 */
export async function takeDueNotices(database: Database, now: Date, most: number): Promise<DueNotice[]> {
  const rows = await database
    .updateTable('notices')
    .set({
      attempts: sql`attempts + 1`,
      next_attempt_at: sql`${now}::timestamptz
        + least(${firstWaitSeconds} * power(2, least(attempts, 20)), ${longestWaitSeconds}) * interval '1 second'`,
    })
    .where('id', 'in', (due) =>
      due
        .selectFrom('notices')
        .select('id')
        .where('next_attempt_at', '<=', now)
        .orderBy('next_attempt_at')
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
  return rows.map(({ id, recipient, subject, text, html, attempts, given_up_at }) => ({
    id,
    mail: { to: recipient, subject, text, ...(html !== null && { html }) },
    attempts,
    givenUpAt: given_up_at,
  }));
}

/** Deletes a notice that was sent or given up. */
export async function forgetNotice(database: Database, id: string): Promise<void> {
  await database.deleteFrom('notices').where('id', '=', id).execute();
}

export async function countNotices(database: Database): Promise<number> {
  const { count } = await database
    .selectFrom('notices')
    .select((select) => select.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
