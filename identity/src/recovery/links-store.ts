import { sql } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import { keyedHash, keyedHashes } from '../lib/keyed-hash.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { StoreContext } from '../store/store-context.ts';
import { linkValidityMinutes } from './link-limits.ts';

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
    userId: string,
    transaction: DatabaseTransaction,
    invitedUntil?: Date,
  ) => Promise<string | undefined>;
  /** The user of a valid token. Does not consume it. */
  find: (token: string) => Promise<string | undefined>;
  /** Consumes the token; only one of several parallel calls gets the user. */
  consume: (token: string, transaction: DatabaseTransaction) => Promise<string | undefined>;
};

export function createLinks({ database, clock, random, keyRing }: StoreContext): Links {
  // The prefix ensures that tokens of another kind never match.
  const hashInput = (token: string): string => `password link ${token}`;
  /** A password change invalidates a link. */
  const isValid = (token: string) => sql<boolean>`token_hash = any(${keyedHashes(keyRing, hashInput(token))})
    and expires_at > ${clock.now()} and credentials.changed_at = password_changed_at`;

  return {
    async issue(userId, transaction, invitedUntil) {
      const token = random.token();
      const now = clock.now();
      const hash = keyedHash(keyRing, hashInput(token));
      const until = invitedUntil ?? addSeconds(now, linkValidityMinutes * 60);
      const link = sql`select user_id, ${hash}, changed_at, ${until}::timestamptz`;
      const of = sql`from credentials where user_id = ${userId}`;
      const replaced = sql`token_hash = excluded.token_hash, password_changed_at = excluded.password_changed_at,
        expires_at = excluded.expires_at`;
      const columns = sql`user_id, token_hash, password_changed_at, expires_at`;
      const { rows } = await (
        invitedUntil === undefined
          ? sql`insert into password_links (${columns}) ${link} ${of}
              on conflict (user_id) do update set ${replaced} returning 1`
          : sql`insert into invitations (${columns}, sent_at) ${link}, ${now}::timestamptz ${of}
              on conflict (user_id) do update
                set ${replaced}, sent_at = excluded.sent_at, accepted_at = null returning 1`
      ).execute(transaction);
      return rows.length > 0 ? token : undefined;
    },

    async find(token) {
      const findIn = (table: 'password_links' | 'invitations') =>
        database
          .selectFrom(table)
          .innerJoin('credentials', 'credentials.user_id', `${table}.user_id`)
          .select(`${table}.user_id`)
          .where(isValid(token));
      const row = await findIn('password_links')
        .unionAll(findIn('invitations').where('accepted_at', 'is', null))
        .executeTakeFirst();
      return row?.user_id;
    },

    async consume(token, transaction) {
      const used = await transaction
        .deleteFrom('password_links')
        .using('credentials')
        .whereRef('credentials.user_id', '=', 'password_links.user_id')
        .where(isValid(token))
        .returning('password_links.user_id')
        .executeTakeFirst();
      const accepted = await transaction
        .updateTable('invitations')
        .from('credentials')
        .set({ accepted_at: clock.now() })
        .whereRef('credentials.user_id', '=', 'invitations.user_id')
        .where('accepted_at', 'is', null)
        .where((where) =>
          used === undefined ? isValid(token) : where('invitations.user_id', '=', used.user_id),
        )
        .returning('invitations.user_id')
        .executeTakeFirst();
      if (accepted !== undefined)
        await transaction.deleteFrom('password_links').where('user_id', '=', accepted.user_id).execute();
      return used?.user_id ?? accepted?.user_id;
    },
  };
}
