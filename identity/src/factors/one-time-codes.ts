import { mfaCodeLength } from '@anteroom/contract';
import { sql } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import { keyedHash, keyedHashes } from '../lib/keyed-hash.ts';
import type { StoreContext } from '../store/store-context.ts';
import { checksPerCode, codeValidityMinutes } from './code-limits.ts';

/** The user who must prove a factor, and the sign-in or session to which codes are bound. */
export type FactorSubject = { uid: string; userId: string; securityVersion: number };

/** The context in which a code is valid: a purpose, a sign-in or session, and a user with a security version. */
export type CodeSubject = {
  purpose: 'sign-in' | 'authenticator-app' | 'phone-number' | 'e-mail';
  boundTo: string;
  /** The number that the code confirms. */
  phoneNumber?: string | undefined;
  userId: string;
  securityVersion: number;
};

/**
 * The result of checking a code. A code that was compared is `right`, `wrong` or, if no attempts are left,
 * `last-wrong`. In the other cases, no code was compared: `exhausted` (too many attempts), `expired`, `used` (already
 * accepted), or `absent` (no code was sent in this sign-in). The last result occurs if a second sign-in begins within
 * the resend wait: the user must then request a code after the wait.
 */
export type CodeCheck = 'right' | 'wrong' | 'last-wrong' | 'exhausted' | 'expired' | 'used' | 'absent';

export type CodeState = Extract<CodeCheck, 'exhausted' | 'expired' | 'used' | 'absent'> | 'awaited';

export type IssuedCode = {
  code: string;
  /** Restores the previous code, because the message was not sent. */
  withdraw: () => Promise<void>;
};

export type OneTimeCodes = {
  /** Resets a used or exhausted code after the user has entered the password. */
  beginAnew: (subject: CodeSubject) => Promise<void>;
  /** Replaces the previous code, without resetting the number of checks. */
  issue: (subject: CodeSubject) => Promise<IssuedCode | Extract<CodeCheck, 'exhausted' | 'used'>>;
  check: (subject: CodeSubject, code: string) => Promise<CodeCheck>;
  /**
   * Counts an attempt at a code that was not sent (of an app, or a recovery code) like an attempt at a sent code.
   * Returns false if the sign-in has no attempts left. `beginAnew` resets the count.
   */
  countTry: (subject: CodeSubject) => Promise<boolean>;
  /** The state of the last code. `awaited`: the user can still enter it. */
  stateOf: (subject: CodeSubject) => Promise<CodeState>;
};

export function createOneTimeCodes({ database, clock, random, keyRing }: StoreContext): OneTimeCodes {
  /** The text to hash. It includes the subject, which is also the key of the row. */
  const hashed = (
    { purpose, boundTo, userId, securityVersion, phoneNumber }: CodeSubject,
    code: string,
  ): string =>
    // Must not change, because the previous release must compute the same hash.
    JSON.stringify([
      'one-time code',
      purpose,
      boundTo,
      userId,
      ...(securityVersion === 0 ? [] : [securityVersion]),
      ...(phoneNumber === undefined ? [] : [phoneNumber]),
      code,
    ]);

  const find = ({ purpose, boundTo, userId }: CodeSubject) =>
    database
      .selectFrom('one_time_codes')
      .selectAll()
      .where('purpose', '=', purpose)
      .where('bound_to', '=', boundTo)
      .where('user_id', '=', userId)
      .executeTakeFirst();

  async function stateOf(subject: CodeSubject): Promise<CodeState> {
    const row = await find(subject);
    // Rows are deleted only long after the sign-in, so a missing row does not mean that the code has expired.
    if (row === undefined) return 'absent';
    if (row.consumed_at !== null) return 'used';
    if (row.checks >= checksPerCode) return 'exhausted';
    return row.expires_at > clock.now() ? 'awaited' : 'expired';
  }

  return {
    async beginAnew({ purpose, boundTo, userId }) {
      await database
        .deleteFrom('one_time_codes')
        .where('purpose', '=', purpose)
        .where('bound_to', '=', boundTo)
        .where((where) =>
          where.or([
            where('consumed_at', 'is not', null),
            where('checks', '>=', checksPerCode),
            where('user_id', '!=', userId),
          ]),
        )
        .execute();
    },

    async issue(subject) {
      const { purpose, boundTo, userId } = subject;
      const now = clock.now();
      const code = random.digits(mfaCodeLength);
      const codeHash = keyedHash(keyRing, hashed(subject, code));
      const expiresAt = addSeconds(now, codeValidityMinutes * 60);
      const previous = await find(subject);
      const { rows } = await sql`
        insert into one_time_codes as present
          (purpose, bound_to, user_id, code_hash, checks, created_at, expires_at)
        values (${purpose}, ${boundTo}, ${userId}, ${codeHash}, 0, ${now}, ${expiresAt})
        on conflict (purpose, bound_to) do update set
          code_hash = excluded.code_hash,
          created_at = excluded.created_at,
          expires_at = excluded.expires_at
        where present.user_id = excluded.user_id and present.consumed_at is null and present.checks < ${checksPerCode}
        returning 1`.execute(database);
      if (rows.length === 0) return (await stateOf(subject)) === 'used' ? 'used' : 'exhausted';

      return {
        code,
        async withdraw() {
          await database
            .updateTable('one_time_codes')
            .set({
              code_hash: previous?.code_hash ?? '',
              created_at: previous?.created_at ?? now,
              expires_at: previous?.expires_at ?? now,
            })
            .where('purpose', '=', purpose)
            .where('bound_to', '=', boundTo)
            .where('code_hash', '=', codeHash)
            .where('consumed_at', 'is', null)
            .execute();
        },
      };
    },

    async check(subject, code) {
      const now = clock.now();
      // One statement counts, compares and uses the code: of any number of parallel checks on any node, at most five
      // are evaluated and one succeeds. It compares keyed hashes, so that timing reveals nothing about the code.
      const row = await database
        .updateTable('one_time_codes')
        .set((column) => ({
          checks: sql`checks + 1`,
          consumed_at: column
            .case()
            .when('code_hash', 'in', keyedHashes(keyRing, hashed(subject, code)))
            .then(sql<Date>`${now}::timestamptz`)
            .end(),
        }))
        .where('purpose', '=', subject.purpose)
        .where('bound_to', '=', subject.boundTo)
        .where('user_id', '=', subject.userId)
        .where('consumed_at', 'is', null)
        .where('expires_at', '>', now)
        .where('checks', '<', checksPerCode)
        .returning(['checks', 'consumed_at'])
        .executeTakeFirst();
      if (row === undefined) {
        const state = await stateOf(subject);
        // A new code was sent in the meantime, so the entered code is outdated.
        return state === 'awaited' ? 'expired' : state;
      }
      if (row.consumed_at !== null) return 'right';
      return row.checks < checksPerCode ? 'wrong' : 'last-wrong';
    },

    async countTry({ purpose, boundTo, userId }) {
      const now = clock.now();
      const { rows } = await sql`
        insert into one_time_codes as present
          (purpose, bound_to, user_id, code_hash, checks, created_at, expires_at)
        values (${purpose}, ${boundTo}, ${userId}, '', 1, ${now}, ${addSeconds(now, codeValidityMinutes * 60)})
        on conflict (purpose, bound_to) do update set
          checks = case when present.user_id = excluded.user_id then present.checks + 1 else 1 end,
          user_id = excluded.user_id,
          expires_at = excluded.expires_at
        where present.user_id <> excluded.user_id or present.checks < ${checksPerCode}
        returning 1`.execute(database);
      return rows.length > 0;
    },

    stateOf,
  };
}
