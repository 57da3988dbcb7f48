import { sql } from 'kysely';
import type { ExpressionBuilder } from 'kysely';
import { lockUsers, raiseSecurityVersion } from '../users/users-store.ts';
import type { User } from '../users/users-store.ts';
import type { Services } from '../services.ts';
import { deleteSignIns } from '../sign-in/sign-ins-store.ts';
import type { DatabaseTransaction, Tables } from '../store/schema.ts';
import { endGrantsOfSite, endProviderSessions, isUsedElsewhere } from '../provider/provider-sessions.ts';

/**
 * Selects sessions. A session id also selects the sessions that replaced it, because the id may be changing at the same
 * time.
 */
export type SessionSelector =
  | { idHashes: readonly string[] }
  | { userId: string; browserId?: string; keptSessionIdHash?: string | undefined }
  | { site: string }
  /** What a membership gave. A session that applications also use at other sites continues, without this site. */
  | { userId: string; site: string }
  | { connectionId: string };

export type EndedSession = { idHash: string; userId: string; browserId: string; site: string | undefined };

/**
 * The only function that ends sessions before they expire. Also ends the grants of applications in these sessions, and
 * pending sign-ins of the same user in the same browser. It takes effect at once on every node, because every request
 * reads the table. Call `notifyApplications` after the transaction commits.
 */
export async function endSessions(
  transaction: DatabaseTransaction,
  selector: SessionSelector,
  now: Date,
): Promise<EndedSession[]> {
  const ended = await endSelectedSessions(transaction, selector, now);
  await deleteSignIns(transaction, { of: ended });
  return ended;
}

async function endSelectedSessions(
  transaction: DatabaseTransaction,
  selector: SessionSelector,
  now: Date,
): Promise<EndedSession[]> {
  const users = transaction.selectFrom('sessions').select('user_id').where('ended_at', 'is', null);
  const owners = 'userId' in selector ? [] : await users.where(isSelected(selector)).distinct().execute();
  const userIds = 'userId' in selector ? [selector.userId] : owners.flatMap((row) => row.user_id ?? []);
  // The lock waits for a session id that is being replaced, so that the next statement also ends the new session.
  await lockUsers(transaction, userIds);
  if ('site' in selector && 'userId' in selector) await leaveSite(transaction, selector);
  const rows = await transaction
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('ended_at', 'is', null)
    .where('user_id', 'is not', null)
    .where(isSelected(selector))
    .returning(['id_hash', 'user_id', 'auth_site', 'browser_id', 'provider_session_uid'])
    .execute();
  const ended = rows.flatMap((row) =>
    row.user_id === null
      ? []
      : [
          {
            idHash: row.id_hash,
            userId: row.user_id,
            browserId: row.browser_id,
            site: row.auth_site ?? undefined,
          },
        ],
  );
  await endProviderSessions(
    transaction,
    rows.flatMap(({ user_id: accountId, provider_session_uid: uid }) =>
      accountId === null || uid === null ? [] : [{ accountId, uid }],
    ),
  );
  if ('site' in selector) await endGrantsOfSite(transaction, selector);
  else if ('userId' in selector && selector.browserId === undefined)
    await endGrantsOfUser(transaction, selector.userId);
  return ended;
}

function isSelected(selector: SessionSelector) {
  return (where: ExpressionBuilder<Tables, 'sessions'>) => {
    if ('site' in selector)
      return where.and([
        where('auth_site', '=', selector.site),
        ...('userId' in selector ? [where('user_id', '=', selector.userId)] : []),
      ]);
    if ('connectionId' in selector) return where('connection_id', '=', selector.connectionId);
    if ('idHashes' in selector)
      return where.exists(
        where
          .selectFrom('sessions as named')
          .select('named.id_hash')
          .where('named.id_hash', '=', sql<string>`any(${[...selector.idHashes]})`)
          .whereRef('named.user_id', '=', 'sessions.user_id')
          .whereRef('named.browser_id', '=', 'sessions.browser_id'),
      );
    return where.and([
      where('user_id', '=', selector.userId),
      where('id_hash', '!=', selector.keptSessionIdHash ?? ''),
      ...(selector.browserId === undefined ? [] : [where('browser_id', '=', selector.browserId)]),
    ]);
  };
}

/** Removes the site from the sessions of a user that applications also use at other sites. */
async function leaveSite(
  transaction: DatabaseTransaction,
  { userId, site }: { userId: string; site: string },
): Promise<void> {
  await transaction
    .updateTable('sessions')
    .set({ auth_site: null })
    .where('user_id', '=', userId)
    .where('auth_site', '=', site)
    .where('ended_at', 'is', null)
    .where(isUsedElsewhere(site))
    .execute();
}

/** Ends all grants of a user. */
async function endGrantsOfUser(transaction: DatabaseTransaction, userId: string): Promise<void> {
  await transaction
    .deleteFrom('openid_records')
    .where('account_id', '=', userId)
    .where('model', 'not in', ['Session', 'Interaction'])
    .execute();
}

export type RevokedAccess = { securityVersion: number; sessionsEnded: number; devicesForgotten: number };

/**
 * Revokes all access after a change of the password, the second factor or the status of an account. Ends sessions
 * (except `keptSessionIdHash`, which the caller replaces) and all grants, including `offline_access`, and forgets remembered
 * computers. Proofs that are being verified at the same time are rejected, because the security version has changed.
 */
export async function revokeAccess(
  { clock, factors }: Pick<Services, 'clock' | 'factors'>,
  transaction: DatabaseTransaction,
  userId: string,
  keptSessionIdHash?: string,
): Promise<RevokedAccess> {
  const securityVersion = await raiseSecurityVersion(transaction, userId);
  // Pending sign-ins stay. Their proofs are now invalid, and the user can start over.
  const ended = await endSelectedSessions(transaction, { userId, keptSessionIdHash }, clock.now());
  const devicesForgotten = await factors.devices.forgetAllOf(userId, transaction);
  return { securityVersion, sessionsEnded: ended.length, devicesForgotten };
}

/**
 * Calls `revokeAccess` for a change that depends on `user` as read before. Returns undefined if another account change
 * came first; the caller must then roll the transaction back.
 */
export async function revokeAccessUnlessChanged(
  services: Pick<Services, 'clock' | 'factors'>,
  transaction: DatabaseTransaction,
  user: Pick<User, 'id' | 'securityVersion'>,
  keptSessionIdHash: string | undefined,
): Promise<RevokedAccess | undefined> {
  const revoked = await revokeAccess(services, transaction, user.id, keptSessionIdHash);
  return revoked.securityVersion === user.securityVersion + 1 ? revoked : undefined;
}
