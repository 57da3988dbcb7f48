import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { revokeGrant } from './grants-store.ts';
import { keepSignOutNotices } from './sign-out-notices-store.ts';

type ProviderSession = InstanceType<KoaContextWithOIDC['oidc']['provider']['Session']>;

/** An application that somebody is signed in at, and what it knows their session by. */
export type SignedInApplication = { clientId: string; sid: string };

/** Where a session of the provider has signed somebody in. */
export function applicationsOf({
  authorizations = {},
}: Pick<ProviderSession, 'authorizations'>): SignedInApplication[] {
  return Object.entries(authorizations).flatMap(([clientId, { sid }]) =>
    sid === undefined ? [] : [{ clientId, sid }],
  );
}

/**
 * Ends a session of the provider: its row, and every grant that applications hold through it, those that could have
 * outlived it (`offline_access`) included. Its applications are told, once the transaction holds (`back-channel.ts`).
 */
export async function endProviderSession(
  database: Database,
  { uid, authorizations = {} }: Pick<ProviderSession, 'uid' | 'authorizations'>,
): Promise<void> {
  await keepSignOutNotices(database, { uid });
  for (const { grantId } of Object.values(authorizations)) {
    if (grantId !== undefined) await revokeGrant(database, grantId);
  }
  await database.deleteFrom('openid_records').where('model', '=', 'Session').where('uid', '=', uid).execute();
}

/** Notes which session of the provider stands on a browser's session with us that another organisation's provider began. */
export async function noteProviderSession(database: Database, browserId: string, uid: string): Promise<void> {
  await database
    .updateTable('external_sessions')
    .set({ provider_session_uid: uid })
    .where('browser_id', '=', browserId)
    .execute();
}

/** Ends what applications hold through those browsers' sessions, as far as another organisation's provider began them. */
export async function endProviderSessionsOfBrowsers(
  transaction: DatabaseTransaction,
  browserIds: readonly string[],
): Promise<void> {
  if (browserIds.length === 0) return;
  const rows = await transaction
    .selectFrom('openid_records')
    .innerJoin('external_sessions', 'external_sessions.provider_session_uid', 'openid_records.uid')
    .select(['openid_records.uid', 'openid_records.payload'])
    .where('openid_records.model', '=', 'Session')
    .where('external_sessions.browser_id', 'in', [...browserIds])
    .execute();
  for (const { uid, payload } of rows) {
    const { authorizations } = payload as Pick<ProviderSession, 'authorizations'>;
    if (uid !== null) await endProviderSession(transaction, { uid, authorizations });
  }
}

/** Ends every session and grant of a person, but those of the session `except`; applications are told, as above. */
export async function endProviderSessionsOf(
  database: Database,
  personId: string,
  { except }: { except: Pick<ProviderSession, 'uid' | 'authorizations'> | undefined },
): Promise<void> {
  await keepSignOutNotices(database, { personId, exceptUid: except?.uid });
  const kept = Object.values(except?.authorizations ?? {}).flatMap(({ grantId }) => grantId ?? []);
  await database
    .deleteFrom('openid_records')
    .where('account_id', '=', personId)
    .where('model', '!=', 'Interaction')
    .where((where) =>
      where.or([
        where.and([where('model', '=', 'Session'), where('uid', '!=', except?.uid ?? '')]),
        where.and([
          where('model', '!=', 'Session'),
          where.or([
            where('grant_id', 'is', null),
            ...(kept.length === 0 ? [where.lit(true)] : [where('grant_id', 'not in', kept)]),
          ]),
        ]),
      ]),
    )
    .execute();
}
