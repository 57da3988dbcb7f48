import { sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import { addSeconds } from '../lib/clock.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Random } from '../lib/random.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { rangeOf } from './phone-number.ts';

const tenMinutesSeconds = 10 * 60;
const hourSeconds = 60 * 60;
const daySeconds = 24 * 60 * 60;

export type Recipient = { personId: string; phoneNumber: string };

/** A message may leave, and is counted; `release` takes the count back when it certainly did not leave. */
export type Permit = { release: () => Promise<void> };
/** `budget`: everybody together, or everybody in a range of numbers, has used up an hour's messages. */
export type Wait = { waitSeconds: number; because: 'person' | 'number' | 'budget' };

/** How many messages with a code leave: counted before they do, over all nodes and all purposes, in windows that slide. */
export type CodeMessages = {
  claim: (recipient: Recipient) => Promise<Permit | Wait>;
  /** Forgets what no window reaches any more; answers how many. */
  prune: () => Promise<number>;
};

export function createCodeMessages(
  dependencies: { database: Database; clock: Clock; random: Random; keyRing: KeyRing },
  figures: Config['codes'],
): CodeMessages {
  const { database, clock, random, keyRing } = dependencies;

  /** Seconds until fewer than `count` of the moments lie within the window, newest first. */
  function waitFor(moments: readonly Date[], count: number, windowSeconds: number, now: Date): number {
    const decisive = moments[count - 1];
    if (decisive === undefined) return 0;
    return Math.max(0, Math.ceil((addSeconds(decisive, windowSeconds).getTime() - now.getTime()) / 1000));
  }

  async function momentsOf(
    transaction: DatabaseTransaction,
    column: 'person_id' | 'number_hash',
    value: string,
    now: Date,
  ): Promise<Date[]> {
    const rows = await transaction
      .selectFrom('code_messages')
      .select('sent_at')
      .where(column, '=', value)
      .where('sent_at', '>', addSeconds(now, -daySeconds))
      .orderBy('sent_at', 'desc')
      .limit(figures.perDay)
      .execute();
    return rows.map((row) => row.sent_at);
  }

  async function budgetWait(transaction: DatabaseTransaction, range: string, now: Date): Promise<number> {
    const nth = async (count: number, within: string | undefined): Promise<number> => {
      const row = await transaction
        .selectFrom('code_messages')
        .select('sent_at')
        .where('sent_at', '>', addSeconds(now, -hourSeconds))
        .$if(within !== undefined, (query) => query.where('number_range', '=', within ?? ''))
        .orderBy('sent_at', 'desc')
        .offset(count - 1)
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? 0 : waitFor([row.sent_at], 1, hourSeconds, now);
    };
    return Math.max(await nth(figures.perHourAndRange, range), await nth(figures.perHour, undefined));
  }

  return {
    claim: ({ personId, phoneNumber }) =>
      database.transaction().execute(async (transaction) => {
        const now = clock.now();
        const numberHash = keyedHash(keyRing, JSON.stringify(['phone number', phoneNumber]));
        // Counting and adding must not be interleaved with another's. Always the person before the number: no circle.
        await sql`select
          pg_advisory_xact_lock(hashtextextended(${`code messages of person ${personId}`}, 0)),
          pg_advisory_xact_lock(hashtextextended(${`code messages to ${numberHash}`}, 0))`.execute(
          transaction,
        );

        const ofPerson = await momentsOf(transaction, 'person_id', personId, now);
        const personWait = Math.max(
          waitFor(ofPerson, 1, figures.resendWaitSeconds, now),
          waitFor(ofPerson, figures.perTenMinutes, tenMinutesSeconds, now),
          waitFor(ofPerson, figures.perDay, daySeconds, now),
        );
        if (personWait > 0) return { waitSeconds: personWait, because: 'person' };
        const ofNumber = await momentsOf(transaction, 'number_hash', numberHash, now);
        const numberWait = waitFor(ofNumber, figures.perDay, daySeconds, now);
        if (numberWait > 0) return { waitSeconds: numberWait, because: 'number' };
        const allWait = await budgetWait(transaction, rangeOf(phoneNumber), now);
        if (allWait > 0) return { waitSeconds: allWait, because: 'budget' };

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

    async prune() {
      const { numDeletedRows } = await database
        .deleteFrom('code_messages')
        .where('sent_at', '<', addSeconds(clock.now(), -daySeconds))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
