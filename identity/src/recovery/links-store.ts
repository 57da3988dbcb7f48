import { addSeconds } from '../lib/clock.ts';
import { keyedHash, keyedHashes } from '../lib/keyed-hash.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { StoreContext } from '../store/store-context.ts';
import { linkValidityMinutes } from './limits.ts';

/**
 * Links for a new password. Each user has at most one recovery link, the latest, and one invitation. A recovery link
 * does not replace an invitation; otherwise, anyone who knows the user name could invalidate the invitation. A password
 * change invalidates both. The token itself exists only in the message.
 */
export type Links = {
  /**
   * Creates a token of 256 random bits and invalidates the user's previous token. Returns undefined if the user has no
   * password. `invitedUntil`: the expiry of an invitation.
   */
  issue: (
    personId: string,
    transaction: DatabaseTransaction,
    invitedUntil?: Date,
  ) => Promise<string | undefined>;
  /** The user of a valid token. Does not consume it. */
  find: (token: string) => Promise<string | undefined>;
  /** Consumes the token; only one of several parallel calls gets the user. */
  consume: (token: string, transaction: DatabaseTransaction) => Promise<string | undefined>;
};

const tables = ['password_links', 'invitations'] as const;

export function createLinks({ database, clock, random, keyRing }: StoreContext): Links {
  // The prefix ensures that tokens of another kind never match.
  const hashInput = (token: string): string => `password link ${token}`;
  const hashesOf = (token: string): string[] => keyedHashes(keyRing, hashInput(token));

  return {
    async issue(personId, transaction, invitedUntil) {
      const token = random.token();
      const expires = invitedUntil ?? addSeconds(clock.now(), linkValidityMinutes * 60);
      const { numInsertedOrUpdatedRows = 0n } = await transaction
        .insertInto(invitedUntil === undefined ? 'password_links' : 'invitations')
        .columns(['person_id', 'token_hash', 'password_changed_at', 'expires_at'])
        .expression((query) =>
          query
            .selectFrom('credentials')
            .select((select) => [
              'person_id',
              select.val(keyedHash(keyRing, hashInput(token))).as('token_hash'),
              'changed_at',
              select.cast<Date>(select.val(expires), 'timestamptz').as('expires_at'),
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
      const findIn = (table: (typeof tables)[number]) =>
        database
          .selectFrom(table)
          .innerJoin('credentials', 'credentials.person_id', `${table}.person_id`)
          .select(`${table}.person_id`)
          .where('token_hash', 'in', hashesOf(token))
          .where('expires_at', '>', clock.now())
          // A password change invalidates the link.
          .whereRef('credentials.changed_at', '=', 'password_changed_at');
      const row = await findIn('password_links').unionAll(findIn('invitations')).executeTakeFirst();
      return row?.person_id;
    },

    async consume(token, transaction) {
      for (const table of tables) {
        const row = await transaction
          .deleteFrom(table)
          .using('credentials')
          .whereRef('credentials.person_id', '=', `${table}.person_id`)
          .where('token_hash', 'in', hashesOf(token))
          .where('expires_at', '>', clock.now())
          .whereRef('credentials.changed_at', '=', 'password_changed_at')
          .returning(`${table}.person_id`)
          .executeTakeFirst();
        if (row === undefined) continue;
        for (const other of tables)
          await transaction.deleteFrom(other).where('person_id', '=', row.person_id).execute();
        return row.person_id;
      }
      return undefined;
    },
  };
}
