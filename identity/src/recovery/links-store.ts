import type { Clock } from '../lib/clock.ts';
import { addSeconds } from '../lib/clock.ts';
import { keyedHash, keyedHashes } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Random } from '../lib/random.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { linkValidityMinutes } from './figures.ts';

/** Links for a new password: one for each person, the latest; the token itself is in the message alone. */
export type Links = {
  /** Makes a token of 256 random bits; an earlier one of the same person is dead. Undefined for a person without a password. */
  issue: (personId: string, transaction: DatabaseTransaction) => Promise<string | undefined>;
  /** Whose link a token belongs to, while it works. Nothing is used up. */
  find: (token: string) => Promise<string | undefined>;
  /** Uses the link up; of any number of parallel uses one gets the person. */
  consume: (token: string, transaction: DatabaseTransaction) => Promise<string | undefined>;
};

export function createLinks(dependencies: {
  database: Database;
  clock: Clock;
  random: Random;
  keyRing: KeyRing;
}): Links {
  const { database, clock, random, keyRing } = dependencies;

  // other secrets are hashed with the same keys: none of them fits here
  const hashed = (token: string): string => `password link ${token}`;

  return {
    async issue(personId, transaction) {
      const token = random.token();
      const now = clock.now();
      const { numInsertedOrUpdatedRows = 0n } = await transaction
        .insertInto('password_links')
        .columns(['person_id', 'token_hash', 'password_changed_at', 'expires_at'])
        .expression((query) =>
          query
            .selectFrom('credentials')
            .select((select) => [
              'person_id',
              select.val(keyedHash(keyRing, hashed(token))).as('token_hash'),
              'changed_at',
              select
                .cast<Date>(select.val(addSeconds(now, linkValidityMinutes * 60)), 'timestamptz')
                .as('expires_at'),
            ])
            .where('person_id', '=', personId),
        )
        .onConflict((conflict) =>
          conflict.column('person_id').doUpdateSet((written) => ({
            token_hash: written.ref('excluded.token_hash'),
            password_changed_at: written.ref('excluded.password_changed_at'),
            expires_at: written.ref('excluded.expires_at'),
          })),
        )
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows > 0n ? token : undefined;
    },

    async find(token) {
      const row = await database
        .selectFrom('password_links')
        .innerJoin('credentials', 'credentials.person_id', 'password_links.person_id')
        .select('password_links.person_id')
        .where('token_hash', 'in', keyedHashes(keyRing, hashed(token)))
        .where('expires_at', '>', clock.now())
        // a password that was changed since has ended the link
        .whereRef('credentials.changed_at', '=', 'password_changed_at')
        .executeTakeFirst();
      return row?.person_id;
    },

    async consume(token, transaction) {
      const row = await transaction
        .deleteFrom('password_links')
        .using('credentials')
        .whereRef('credentials.person_id', '=', 'password_links.person_id')
        .where('token_hash', 'in', keyedHashes(keyRing, hashed(token)))
        .where('expires_at', '>', clock.now())
        .whereRef('credentials.changed_at', '=', 'password_changed_at')
        .returning('password_links.person_id')
        .executeTakeFirst();
      return row?.person_id;
    },
  };
}

/** Forgets links whose time has passed; answers how many. */
export async function prunePasswordLinks(database: Database, now: Date): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('password_links')
    .where('expires_at', '<=', now)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
