import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { isKeyedHashOf, keyedHash } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Random } from '../lib/random.ts';
import { deleteInBatches } from '../store/delete-in-batches.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { sql } from 'kysely';

/** What a challenge is good for: a ceremony, and for whom or in which sign-in, in which browser. */
export type ChallengeSubject = { ceremony: 'sign-in' | 'enrolment'; boundTo: readonly string[] };

export type ChallengeCheck = 'good' | 'expired' | 'foreign';

/**
 * Challenges that say themselves what they are good for and until when, under a key of the service: a page that asks for one leaves no
 * row behind. Only one that a passkey has answered is stored, so that it is good once.
 */
export type Challenges = {
  issue: (subject: ChallengeSubject) => Uint8Array<ArrayBuffer>;
  /** @param challenge in base64url, as the browser signs it */
  check: (challenge: string, subject: ChallengeSubject) => ChallengeCheck;
  /** False when it was used before, on whatever node. */
  use: (database: Database | DatabaseTransaction, challenge: string) => Promise<boolean>;
};

/** NIST SP 800-63B-4 has no figure; the browser's own prompt ends sooner. */
export const challengeSeconds = 5 * 60;

const nonceBytes = 16;
const timeBytes = 6;

export function createChallenges({
  clock,
  random,
  keyRing,
}: {
  clock: Clock;
  random: Random;
  keyRing: KeyRing;
}): Challenges {
  const textOf = ({ ceremony, boundTo }: ChallengeSubject, head: Buffer): string =>
    JSON.stringify(['passkey challenge', ceremony, boundTo, head.toString('base64url')]);

  return {
    issue(subject) {
      const head = Buffer.alloc(nonceBytes + timeBytes);
      random.bytes(nonceBytes).copy(head);
      head.writeUIntBE(addSeconds(clock.now(), challengeSeconds).getTime(), nonceBytes, timeBytes);
      const signature = Buffer.from(keyedHash(keyRing, textOf(subject, head)), 'base64url');
      return Uint8Array.from([...head, ...signature]);
    },

    check(challenge, subject) {
      const bytes = Buffer.from(challenge, 'base64url');
      const head = bytes.subarray(0, nonceBytes + timeBytes);
      const signature = bytes.subarray(nonceBytes + timeBytes);
      if (head.length < nonceBytes + timeBytes) return 'foreign';
      if (!isKeyedHashOf(keyRing, signature.toString('base64url'), textOf(subject, head))) return 'foreign';
      return head.readUIntBE(nonceBytes, timeBytes) > clock.now().getTime() ? 'good' : 'expired';
    },

    async use(database, challenge) {
      const used = await database
        .insertInto('used_passkey_challenges')
        .values({
          // the bytes, not their spelling
          challenge_hash: keyedHash(
            keyRing,
            `used passkey challenge ${Buffer.from(challenge, 'base64url').toString('base64url')}`,
          ),
          expires_at: addSeconds(clock.now(), challengeSeconds),
        })
        .onConflict((conflict) => conflict.column('challenge_hash').doNothing())
        .returning('challenge_hash')
        .executeTakeFirst();
      return used !== undefined;
    },
  };
}

/** Forgets used challenges that have expired; returns how many. */
export function pruneUsedChallenges(database: Database, now: Date): Promise<number> {
  return deleteInBatches(
    database,
    { table: 'used_passkey_challenges', key: ['challenge_hash'] },
    sql`expires_at <= ${now}`,
  );
}
