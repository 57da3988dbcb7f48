import { sql } from 'kysely';
import type { Config } from '../config.ts';
import { addSeconds } from '../lib/clock.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import type { Database } from '../store/schema.ts';
import type { StoreContext } from '../store/store-context.ts';
import { rangeOf } from './phone-number.ts';
import type { CodeCounts } from './second-factor.ts';

const tenMinutesSeconds = 10 * 60;
const hourSeconds = 60 * 60;
const daySeconds = 24 * 60 * 60;

export type Recipient = {
  personId: string;
  phoneNumber: string;
  /**
   * The number is not confirmed yet. Messages to it have separate counters, so that no limit reveals whether another
   * user has the number.
   */
  isNewNumber?: boolean | undefined;
};

/**
 * Permission to send a message. The message is already counted; `release` reverts that if it was certainly not sent.
 */
export type Permit = { release: () => Promise<void> };
/**
 * The wait until the next message is permitted. `budget`: the hourly budget of the service or of a range of numbers is
 * used up.
 */
export type Wait = { waitSeconds: number; because: 'person' | 'number' | 'budget' };

/**
 * Limits messages with a code. Messages are counted before sending, across all nodes and purposes, in sliding windows.
 */
export type CodeMessages = {
  claim: (recipient: Recipient) => Promise<Permit | Wait>;
  /** Seconds until `claim` would permit the next message; 0 if it would now. */
  waitSeconds: (recipient: Recipient) => Promise<number>;
  countLastHour: () => Promise<CodeCounts>;
};

export function createCodeMessages(
  { database, clock, random, keyRing }: StoreContext,
  options: Config['codes'],
): CodeMessages {
  const hashOf = ({ phoneNumber, isNewNumber }: Recipient): string =>
    keyedHash(
      keyRing,
      JSON.stringify([isNewNumber === true ? 'new phone number' : 'phone number', phoneNumber]),
    );

  /** Finds the longest wait of all limits. Each limit allows `count` messages in any window of its length. */
  async function findWait(within: Database, recipient: Recipient, now: Date): Promise<Wait | undefined> {
    const { personId, phoneNumber } = recipient;
    const ofPerson = sql`person_id = ${personId}`;
    const ofNumber = sql`number_hash = ${hashOf(recipient)}`;
    const ofRange = sql`number_range = ${rangeOf(phoneNumber)}`;
    const limits = [
      { because: 'person', of: ofPerson, count: 1, windowSeconds: options.resendWaitSeconds },
      { because: 'person', of: ofPerson, count: options.perTenMinutes, windowSeconds: tenMinutesSeconds },
      { because: 'person', of: ofPerson, count: options.perDay, windowSeconds: daySeconds },
      { because: 'number', of: ofNumber, count: options.perDay, windowSeconds: daySeconds },
      { because: 'budget', of: ofRange, count: options.perHourAndRange, windowSeconds: hourSeconds },
      { because: 'budget', of: sql`true`, count: options.perHour, windowSeconds: hourSeconds },
    ] as const;
    // For each limit: the time at which the message that exhausts it leaves the window.
    const ends = limits.map(
      ({ because, of, count, windowSeconds }) => sql`(
        select ${because}::text as because, sent_at + make_interval(secs => ${windowSeconds}) as ends_at
        from code_messages where ${of} and sent_at > ${addSeconds(now, -windowSeconds)}
        order by sent_at desc offset ${count - 1} limit 1)`,
    );
    const { rows } = await sql<{ because: Wait['because']; ends_at: Date }>`
      ${sql.join(ends, sql` union all `)} order by ends_at desc limit 1`.execute(within);
    const [last] = rows;
    return (
      last && {
        waitSeconds: Math.ceil((last.ends_at.getTime() - now.getTime()) / 1000),
        because: last.because,
      }
    );
  }

  return {
    claim: (recipient) =>
      database.transaction().execute(async (transaction) => {
        const { personId, phoneNumber } = recipient;
        const now = clock.now();
        const numberHash = hashOf(recipient);
        // Serialises counting and inserting. The user is always locked before the number, to avoid deadlocks.
        await sql`select
          pg_advisory_xact_lock(hashtextextended(${`code messages of person ${personId}`}, 0)),
          pg_advisory_xact_lock(hashtextextended(${`code messages to ${numberHash}`}, 0))`.execute(
          transaction,
        );

        const wait = await findWait(transaction, recipient, now);
        if (wait !== undefined) return wait;

        const id = random.token(16);
        await transaction
          .insertInto('code_messages')
          .values({
            id,
            person_id: personId,
            number_hash: numberHash,
            number_range: rangeOf(phoneNumber),
            sent_at: now,
          })
          .execute();
        return {
          release: async () => {
            await database.deleteFrom('code_messages').where('id', '=', id).execute();
          },
        };
      }),

    async waitSeconds(recipient) {
      return (await findWait(database, recipient, clock.now()))?.waitSeconds ?? 0;
    },

    async countLastHour() {
      const { rows } = await sql<{ total: string; busiest: string }>`
        select coalesce(sum(sent), 0) as total, coalesce(max(sent), 0) as busiest from (
          select count(*) as sent from code_messages
          where sent_at > ${addSeconds(clock.now(), -hourSeconds)} group by number_range) as ranges`.execute(
        database,
      );
      return { all: Number(rows[0]?.total), range: Number(rows[0]?.busiest) };
    },
  };
}
