import { mfaCodeLength } from '@anteroom/contract';
import { sql } from 'kysely';
import type { Clock } from '../lib/clock.ts';
import { addSeconds } from '../lib/clock.ts';
import { keyedHash, keyedHashes } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Random } from '../lib/random.ts';
import type { Database } from '../store/schema.ts';
import { checksPerCode, codeValidityMinutes } from './limits.ts';

/** What a code is good for, and nothing else: one purpose, one sign-in, one person in one state of their account. */
export type CodeSubject = {
  purpose: 'sign-in' | 'authenticator-app';
  boundTo: string;
  personId: string;
  securityVersion: number;
};

/**
 * What became of a try. Compared and wrong: `wrong` when another try is left, `last-wrong` when none is. Not even compared:
 * `exhausted` after those, `expired` when its time has passed, `used` when it was right before, `absent` when none was sent in this
 * sign-in: two sign-ins within half a minute get one message, and whoever has the second asks for a code when the wait is over.
 */
export type CodeCheck = 'right' | 'wrong' | 'last-wrong' | 'exhausted' | 'expired' | 'used' | 'absent';

export type CodeState = Extract<CodeCheck, 'exhausted' | 'expired' | 'used' | 'absent'> | 'awaited';

export type IssuedCode = {
  code: string;
  /** Nothing was sent: the code that was there before is good again. */
  withdraw: () => Promise<void>;
};

export type OneTimeCodes = {
  /** A password was proved: what was used, or tried too often, is begun anew. */
  beginAnew: (subject: CodeSubject) => Promise<void>;
  /** Makes a code in the place of the one before, and goes on counting its checks. */
  issue: (subject: CodeSubject) => Promise<IssuedCode | Extract<CodeCheck, 'exhausted' | 'used'>>;
  check: (subject: CodeSubject, code: string) => Promise<CodeCheck>;
  /**
   * Counts a try at a code that is not issued here, as those of an issued one are: false when the sign-in has had all that it gets.
   * `beginAnew` begins again.
   */
  countTry: (subject: CodeSubject) => Promise<boolean>;
  /** `awaited`: a code was sent in this sign-in that can still be entered. */
  stateOf: (subject: CodeSubject) => Promise<CodeState>;
  /** Forgets codes whose time has passed; answers how many. */
  prune: () => Promise<number>;
};

export function createOneTimeCodes(dependencies: {
  database: Database;
  clock: Clock;
  random: Random;
  keyRing: KeyRing;
}): OneTimeCodes {
  const { database, clock, random, keyRing } = dependencies;

  /** Bound by the hash as well as by the row. */
  const hashed = ({ purpose, boundTo, personId, securityVersion }: CodeSubject, code: string): string =>
    // an account that has never changed has the hash that the release before makes
    JSON.stringify([
      'one-time code',
      purpose,
      boundTo,
      personId,
      ...(securityVersion === 0 ? [] : [securityVersion]),
      code,
    ]);

  const find = ({ purpose, boundTo, personId }: CodeSubject) =>
    database
      .selectFrom('one_time_codes')
      .selectAll()
      .where('purpose', '=', purpose)
      .where('bound_to', '=', boundTo)
      .where('person_id', '=', personId)
      .executeTakeFirst();

  async function stateOf(subject: CodeSubject): Promise<CodeState> {
    const row = await find(subject);
    // forgotten long after the sign-in that it was for: none that is missing has expired
    if (row === undefined) return 'absent';
    if (row.consumed_at !== null) return 'used';
    if (row.checks >= checksPerCode) return 'exhausted';
    return row.expires_at > clock.now() ? 'awaited' : 'expired';
  }

  return {
    async beginAnew({ purpose, boundTo, personId }) {
      await database
        .deleteFrom('one_time_codes')
        .where('purpose', '=', purpose)
        .where('bound_to', '=', boundTo)
        .where((where) =>
          where.or([
            where('consumed_at', 'is not', null),
            where('checks', '>=', checksPerCode),
            where('person_id', '!=', personId),
          ]),
        )
        .execute();
    },

    async issue(subject) {
      const { purpose, boundTo, personId } = subject;
      const now = clock.now();
      const code = random.digits(mfaCodeLength);
      const codeHash = keyedHash(keyRing, hashed(subject, code));
      const expiresAt = addSeconds(now, codeValidityMinutes * 60);
      const previous = await find(subject);
      const { rows } = await sql`
        insert into one_time_codes as present
          (purpose, bound_to, person_id, code_hash, checks, created_at, expires_at)
        values (${purpose}, ${boundTo}, ${personId}, ${codeHash}, 0, ${now}, ${expiresAt})
        on conflict (purpose, bound_to) do update set
          code_hash = excluded.code_hash,
          created_at = excluded.created_at,
          expires_at = excluded.expires_at
        where present.person_id = excluded.person_id and present.consumed_at is null and present.checks < ${checksPerCode}
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
      // The count, the comparison and the use are one statement: of any number of parallel checks, on any number of nodes, no
      // more than five are made and one succeeds. What is compared are keyed hashes, so that the time it takes tells nothing.
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
        .where('person_id', '=', subject.personId)
        .where('consumed_at', 'is', null)
        .where('expires_at', '>', now)
        .where('checks', '<', checksPerCode)
        .returning(['checks', 'consumed_at'])
        .executeTakeFirst();
      if (row === undefined) {
        const state = await stateOf(subject);
        // a new one was sent in between: what was typed belongs to the one before
        return state === 'awaited' ? 'expired' : state;
      }
      if (row.consumed_at !== null) return 'right';
      return row.checks < checksPerCode ? 'wrong' : 'last-wrong';
    },

    async countTry({ purpose, boundTo, personId }) {
      const now = clock.now();
      const { rows } = await sql`
        insert into one_time_codes as present
          (purpose, bound_to, person_id, code_hash, checks, created_at, expires_at)
        values (${purpose}, ${boundTo}, ${personId}, '', 1, ${now}, ${addSeconds(now, codeValidityMinutes * 60)})
        on conflict (purpose, bound_to) do update set
          checks = case when present.person_id = excluded.person_id then present.checks + 1 else 1 end,
          person_id = excluded.person_id,
          expires_at = excluded.expires_at
        where present.person_id <> excluded.person_id or present.checks < ${checksPerCode}
        returning 1`.execute(database);
      return rows.length > 0;
    },

    stateOf,

    async prune() {
      // A used or exhausted one is told as such for as long as its sign-in may live.
      const { numDeletedRows } = await database
        .deleteFrom('one_time_codes')
        .where('expires_at', '<', addSeconds(clock.now(), -3600))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
