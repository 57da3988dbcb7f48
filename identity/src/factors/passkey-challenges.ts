import { addSeconds } from '../lib/clock.ts';
import { isKeyedHashOf, keyedHash } from '../lib/keyed-hash.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import type { StoreContext } from '../store/store-context.ts';

/** The binding of a challenge: the ceremony, the user or the sign-in, and the browser. */
export type ChallengeSubject = { ceremony: 'sign-in' | 'enrolment'; boundTo: readonly string[] };

export type ChallengeCheck = 'good' | 'expired' | 'foreign';

/**
 * Challenges for passkeys. A challenge contains its purpose and expiry and is authenticated with a key of the service,
 * so that issuing it stores no row. Only used challenges are stored, so that each is accepted once.
 */
export type Challenges = {
  issue: (subject: ChallengeSubject) => Uint8Array<ArrayBuffer>;
  /** @param challenge in base64url, as the browser signs it */
  check: (challenge: string, subject: ChallengeSubject) => ChallengeCheck;
  /** Records the use of a challenge. Returns false if it was used before on any node. */
  use: (database: Database | DatabaseTransaction, challenge: string) => Promise<boolean>;
};

/** How long a challenge is valid. NIST SP 800-63B-4 sets no limit, and the browser's prompt expires sooner. */
export const challengeSeconds = 5 * 60;

const nonceBytes = 16;
const timeBytes = 6;

export function createChallenges({ clock, random, keyRing }: Omit<StoreContext, 'database'>): Challenges {
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
          // Hashes the bytes, because a challenge has several base64url encodings.
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
