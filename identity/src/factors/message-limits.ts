import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import { addSeconds } from '../lib/clock.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import type { Database } from '../store/schema.ts';
import type { StoreContext } from '../store/store-context.ts';

const tenMinutesSeconds = 10 * 60;
const hourSeconds = 60 * 60;
const daySeconds = 24 * 60 * 60;

export type Recipient = {
  userId: string;
  /**
   * The kind of address. A number that is not confirmed yet has separate counters, so that no limit reveals whether
   * another user has the number.
   */
  kind: 'phone number' | 'new phone number' | 'e-mail address';
  address: string;
  /** The range of numbers for which the hourly budget counts; empty for messages that cost nothing. */
  range: string;
};

/** Messages of one hour across all nodes: in total, and to one range of numbers. */
export type CodeCounts = { all: number; range: number };

/**
 * Permission to send a message. The message is already counted; `release` reverts that if it was certainly not sent.
 */
export type Permit = { release: () => Promise<void> };
/**
 * The wait until the next message is permitted. `budget`: the hourly budget of the service or of a range of numbers is
 * used up.
 */
export type Wait = { waitSeconds: number; because: 'user' | 'number' | 'budget' };

/**
 * Limits messages with a code. Messages are counted before sending, across all nodes and purposes, in sliding windows.
 */
export type MessageLimits = {
  claim: (recipient: Recipient) => Promise<Permit | Wait>;
  /** Seconds until `claim` would permit the next message; 0 if it would now. */
  waitSeconds: (recipient: Recipient) => Promise<number>;
  /** Why and for how long `claim` would refuse the next message; undefined if it would permit it. */
  findWait: (recipient: Recipient) => Promise<Wait | undefined>;
  countLastHour: () => Promise<CodeCounts>;
};

export function createMessageLimits(
  { database, clock, random, keyRing }: StoreContext,
  options: Config['codes'],
): MessageLimits {
  const hashOf = ({ kind, address }: Recipient): string =>
    keyedHash(keyRing, JSON.stringify([kind, address]));

  /** Finds the longest wait of all limits. Each limit allows `count` messages in any window of its length. */
  async function findWait(within: Database, recipient: Recipient, now: Date): Promise<Wait | undefined> {
    const { userId, range } = recipient;
    // A user can ask for a mail right after a text message.
    const ofUser = sql`user_id = ${userId} and (number_range = '') = ${range === ''}`;
    const ofNumber = sql`number_hash = ${hashOf(recipient)}`;
    const ofRange = sql`number_range = ${range}`;
    const limits = [
      { because: 'user', of: ofUser, count: 1, windowSeconds: options.resendWaitSeconds },
      { because: 'user', of: ofUser, count: options.perTenMinutes, windowSeconds: tenMinutesSeconds },
      { because: 'user', of: ofUser, count: options.perDay, windowSeconds: daySeconds },
      { because: 'number', of: ofNumber, count: options.perDay, windowSeconds: daySeconds },
      ...(range === ''
        ? []
        : ([
            { because: 'budget', of: ofRange, count: options.perHourAndRange, windowSeconds: hourSeconds },
            {
              because: 'budget',
              of: sql`number_range <> ''`,
              count: options.perHour,
              windowSeconds: hourSeconds,
            },
          ] as const)),
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
        const { userId, range } = recipient;
        const now = clock.now();
        // Serialises counting and inserting of all messages, because the hourly budget counts all of them.
        await sql`select pg_advisory_xact_lock(hashtextextended('code messages', 0))`.execute(transaction);

        const wait = await findWait(transaction, recipient, now);
        if (wait !== undefined) return wait;

        const id = random.token(16);
        await transaction
          .insertInto('code_messages')
          .values({
            id,
            user_id: userId,
            number_hash: hashOf(recipient),
            number_range: range,
            sent_at: now,
          })
          .execute();
        return {
          release: async () => {
            await database.deleteFrom('code_messages').where('id', '=', id).execute();
          },
        };
      }),

    findWait: (recipient) => findWait(database, recipient, clock.now()),

    async waitSeconds(recipient) {
      return (await findWait(database, recipient, clock.now()))?.waitSeconds ?? 0;
    },

    async countLastHour() {
      const { rows } = await sql<{ total: string; busiest: string }>`
        select coalesce(sum(sent), 0) as total, coalesce(max(sent), 0) as busiest from (
          select count(*) as sent from code_messages
          where sent_at > ${addSeconds(clock.now(), -hourSeconds)} and number_range <> '' group by number_range) as ranges`.execute(
        database,
      );
      return { all: Number(rows[0]?.total), range: Number(rows[0]?.busiest) };
    },
  };
}
