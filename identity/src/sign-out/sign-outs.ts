import type { KoaContextWithOIDC } from 'oidc-provider';
import { paths } from '../http/page-addresses.ts';
import { addSeconds } from '../lib/clock.ts';
import type { Services } from '../services.ts';
import { findClient, pageAddressFor } from '../provider/clients-store.ts';
import type { ExchangesByRequest } from '../provider/exchanges-by-request.ts';
import { fingerprint } from '../provider/fingerprint.ts';

/** The time that a user has to confirm. */
const signOutSeconds = 30 * 60;

/** A sign-out that an application requested. */
export type SignOut = {
  clientId: string | undefined;
  /** The user in the application's `id_token_hint`. Any other signed-in user must confirm first. */
  hintUserId: string | undefined;
  /** A redirect URI that is registered for the client, with `state`. */
  postLogoutRedirectUri: string | undefined;
  askedAt: Date;
};

/**
 * Replaces the provider's sign-out page by the page of the front end, with an id of the stored request. The provider has
 * validated the request (hint, client, redirect URI). The sign-out call of the front end then ends the session.
 */
export function createSignOutPage({ database, clock, random }: Services, exchanges: ExchangesByRequest) {
  return async (ctx: KoaContextWithOIDC): Promise<void> => {
    const rows = await exchanges.require(ctx.req).requireAnonymousAllowance();
    const { client, entities, params = {} } = ctx.oidc;
    const subject = entities.IdTokenHint?.payload['sub'];
    const logoutId = random.token();
    const now = clock.now();
    await database
      .insertInto('sign_outs')
      .values(
        rows.bounded({
          id: fingerprint(logoutId),
          client_id: client?.clientId,
          hint_user_id: typeof subject === 'string' ? subject : null,
          post_logout_redirect_uri: withState(params['post_logout_redirect_uri'], params['state']),
          created_at: now,
          expires_at: addSeconds(now, signOutSeconds),
        }),
      )
      .execute();
    ctx.status = 303;
    const application = client && (await findClient(database, client.clientId));
    ctx.redirect(pageAddressFor(application, paths.signOut, { logoutId }));
  };
}

/** Finds a stored sign-out request that has not expired. */
export async function findSignOut(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  logoutId: string,
): Promise<SignOut | undefined> {
  const row = await database
    .selectFrom('sign_outs')
    .selectAll()
    .where('id', '=', fingerprint(logoutId))
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  return (
    row && {
      clientId: row.client_id ?? undefined,
      hintUserId: row.hint_user_id ?? undefined,
      postLogoutRedirectUri: row.post_logout_redirect_uri ?? undefined,
      askedAt: row.created_at,
    }
  );
}

function withState(address: unknown, state: unknown): string | undefined {
  if (typeof address !== 'string') return undefined;
  if (typeof state !== 'string') return address;
  const url = new URL(address);
  url.searchParams.set('state', state);
  return url.href;
}
