import { sql } from 'kysely';
import type { Database } from '../store/schema.ts';
import { findInBatches } from './batches.ts';

/** What became of the latest invitation. It is `accepted` once the user has a chosen password, by whatever link. */
export type Invitation = {
  state: 'pending' | 'expired' | 'accepted';
  sentAt: Date;
  expiresAt: Date;
  acceptedAt: Date | undefined;
};

/** The invitations of these users, by user. They are stored for some months after they expire (`expired-rows.ts`). */
export async function findInvitations(
  database: Database,
  userIds: readonly string[],
  now: Date,
): Promise<Map<string, Invitation>> {
  const rows = await findInBatches(userIds, (batch) =>
    selectInvitations(database).where('invitations.user_id', 'in', batch).execute(),
  );
  return new Map(
    rows.map((row) => {
      const state = row.accepted_at === null ? (row.expires_at <= now ? 'expired' : 'pending') : 'accepted';
      const acceptedAt = row.accepted_at ?? undefined;
      return [row.user_id, { state, sentAt: row.sent_at, expiresAt: row.expires_at, acceptedAt }];
    }),
  );
}

function selectInvitations(database: Database) {
  return database
    .selectFrom('invitations')
    .innerJoin('credentials', 'credentials.user_id', 'invitations.user_id')
    .select(['invitations.user_id', 'sent_at', 'expires_at', acceptedAt.as('accepted_at')]);
}

/** The two times of the password differ once the user has chosen one. */
const acceptedAt = sql<Date | null>`coalesce(accepted_at,
  case when credentials.changed_at <> password_changed_at then credentials.changed_at end)`;

/** Whether the user of a row of `users` has not accepted the latest invitation, which may have expired. */
export const isInvitationOpen = sql<boolean>`exists (
  select from invitations join credentials on credentials.user_id = invitations.user_id
  where invitations.user_id = users.id and ${acceptedAt} is null)`;
