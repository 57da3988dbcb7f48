import { sql } from 'kysely';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { StoreContext } from '../store/store-context.ts';
import { encodeSite, sitePartOfGrant } from './grants-store.ts';
import { storeSignOutNotices } from '../sign-out/sign-out-notices-store.ts';

type ProviderSession = InstanceType<KoaContextWithOIDC['oidc']['provider']['Session']>;

/** A client that the user is signed in to, and the `sid` of its ID tokens. */
export type SignedInApplication = { clientId: string; sid: string };

/** The clients of a provider session. */
export type SignedInApplications = { sessionUid?: string; applications: SignedInApplication[] };

export function applicationsOf({
  uid,
  authorizations = {},
}: Pick<ProviderSession, 'uid' | 'authorizations'>): SignedInApplications {
  const applications = Object.entries(authorizations).flatMap(([clientId, { sid }]) =>
    sid === undefined ? [] : [{ clientId, sid }],
  );
  return { sessionUid: uid, applications };
}

/** Whether a provider session still exists, so that clients may have tokens of it. */
export async function isProviderSessionAlive(
  { database, clock }: Pick<StoreContext, 'database' | 'clock'>,
  uid: string,
): Promise<boolean> {
  const row = await database
    .selectFrom('openid_records')
    .select('id')
    .where('uid', '=', uid)
    .where('model', '=', 'Session')
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', clock.now())]))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Ends provider sessions: their rows, all their grants including `offline_access`, and codes being issued at this
 * moment. Their clients are notified after the transaction commits (`back-channel.ts`).
 */
export async function endProviderSessions(
  transaction: DatabaseTransaction,
  sessions: readonly { uid: string; accountId: string }[],
): Promise<void> {
  if (sessions.length === 0) return;
  const uids = sessions.map(({ uid }) => uid);
  const accountIds = sessions.map(({ accountId }) => accountId);
  await storeSignOutNotices(transaction, sql`session.uid = any(${uids})`);
  // Also finds grants by the session's uid, because a code can exist before the provider has stored its grant in the
  // session.
  await sql`
    with ended as (
      delete from openid_records where model = 'Session' and uid = any(${uids}) returning payload
    ), granted as (
      select authorization_of.value ->> 'grantId' as grant_id from ended
      cross join lateral jsonb_each(coalesce(payload -> 'authorizations', '{}')) authorization_of
      union
      select grant_id from openid_records
      where account_id = any(${accountIds}) and payload ->> 'sessionUid' = any(${uids})
    )
    delete from openid_records where grant_id in (select grant_id from granted)
  `.execute(transaction);
}

/** The authorizations of a provider session: a row for each client, with its grant. */
const authorizations = sql`jsonb_each(coalesce(session.payload -> 'authorizations', '{}')) authorization_of`;

/** Whether an authorization is for this site. */
const isAtSite = (site: string) =>
  sql<boolean>`${sitePartOfGrant(sql`authorization_of.value ->> 'grantId'`)} = ${encodeSite(site)}`;

/** Whether clients of a row of `sessions` have grants for other sites. */
export const isUsedElsewhere = (site: string) => sql<boolean>`exists (
  select from openid_records session cross join lateral ${authorizations}
  where session.model = 'Session' and session.uid = sessions.provider_session_uid and not ${isAtSite(site)})`;

/**
 * Ends all grants for a site, of one user or of all, including those that outlive a session (`offline_access`). Their
 * clients are notified after the transaction commits, also those of sessions that continue at other sites.
 */
export async function endGrantsOfSite(
  transaction: DatabaseTransaction,
  { site, userId }: { site: string; userId?: string },
): Promise<void> {
  const isOfUser = userId === undefined ? sql<boolean>`true` : sql<boolean>`account_id = ${userId}`;
  await storeSignOutNotices(transaction, sql`${isOfUser} and ${isAtSite(site)}`);
  await sql`
    update openid_records session set payload = jsonb_set(payload, '{authorizations}', (
      select coalesce(jsonb_object_agg(key, value) filter (where ${isAtSite(site)} is not true), '{}') from ${authorizations}))
    where model = 'Session' and ${isOfUser}
      and exists (select from ${authorizations} where ${isAtSite(site)})`.execute(transaction);
  await transaction
    .deleteFrom('openid_records')
    .where(isOfUser)
    .where(sql<boolean>`${sitePartOfGrant(sql.ref('grant_id'))} = ${encodeSite(site)}`)
    .execute();
}
