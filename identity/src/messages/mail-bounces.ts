import { signInNameKey } from '../lib/names.ts';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../lib/clock.ts';
import { DeliveryError } from '../lib/delivery-error.ts';
import type { Database } from '../store/schema.ts';
import type { Mail, Sender } from './messages.ts';

/**
 * Records for the user with this address that mail was returned or permanently rejected, and returns the user's id.
 * Only operators see the bounce: responses to visitors must not depend on it (attacks and faults, S26).
 */
export async function recordBounce(
  database: Database,
  { address, status }: { address: string; status: string },
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ user_id: string }>`
    insert into mail_bounces (user_id, address, status, bounced_at)
    select users.id, users.email, ${status}::text, ${now}::timestamptz
    from sign_in_names join users on users.id = sign_in_names.user_id
    where name_key = ${signInNameKey(address)} and lower(users.email) = lower(${address})
    on conflict (user_id) do update
      set address = excluded.address, status = excluded.status, bounced_at = excluded.bounced_at
    returning user_id`.execute(database);
  return rows[0]?.user_id;
}

/** The bounce of the user's current address; bounces of earlier addresses no longer matter. */
export async function findBounce(
  database: Database,
  userId: string,
): Promise<{ status: string; at: Date } | undefined> {
  const row = await database
    .selectFrom('mail_bounces')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['mail_bounces.status', 'bounced_at'])
    .where('user_id', '=', userId)
    .whereRef('address', '=', 'users.email')
    .executeTakeFirst();
  return row && { status: row.status, at: row.bounced_at };
}

type Needed = {
  database: Database;
  clock: Clock;
  log: Logger;
  onBounce: (userId: string, status: string) => void;
};

/** Wraps a sender: permanent rejections are recorded, and a successful delivery clears the record. */
export function notingBounces(
  sender: Sender<Mail>,
  { database, clock, log, onBounce }: Needed,
): Sender<Mail> {
  const note = async (to: string, error?: DeliveryError): Promise<void> => {
    if (error === undefined) {
      await database.deleteFrom('mail_bounces').where('address', '=', to).execute();
      return;
    }
    // the server's reply code (RFC 5321, 4.2.1)
    const status = /\d{3}$/.exec(error.message)?.[0] ?? 'refused';
    const userId = await recordBounce(database, { address: to, status }, clock.now());
    if (userId !== undefined) onBounce(userId, status);
  };
  const noteSafely = (to: string, error?: DeliveryError): Promise<void> =>
    note(to, error).catch((fault: unknown) => log.warn({ err: fault }, 'could not record a bounce'));
  return {
    async send(mail, signal) {
      try {
        await sender.send(mail, signal);
      } catch (error) {
        if (error instanceof DeliveryError && error.failure === 'invalid-recipient')
          await noteSafely(mail.to, error);
        throw error;
      }
      await noteSafely(mail.to);
    },
  };
}
