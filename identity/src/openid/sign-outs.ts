import type { KoaContextWithOIDC } from 'oidc-provider';
import { addSeconds } from '../lib/clock.ts';
import type { Services } from '../services.ts';
import { findClient, pageAddressFor } from './clients-store.ts';
import { fingerprint } from './fingerprint.ts';

const signOutPage = '/ui/account/logout';

/** How long somebody may take to confirm. */
const signOutSeconds = 30 * 60;

/** A sign-out that an application asked for. */
export type SignOut = {
  clientId: string | undefined;
  /** The person whom the application named with an ID token of ours: whoever else is signed in is asked first. */
  hintPersonId: string | undefined;
  /** Registered for the client; `state` included. */
  postLogoutRedirectUri: string | undefined;
  askedAt: Date;
};

/**
 * The provider has checked the request (hint, client, registered address); instead of its own page the browser is sent
 * to ours, with an id for what was asked. Ending the session is the work of our own sign-out call.
 */
export function createSignOutPage({ database, clock, random }: Services) {
  return async (ctx: KoaContextWithOIDC): Promise<void> => {
    const { client, entities, params = {} } = ctx.oidc;
    const subject = entities.IdTokenHint?.payload['sub'];
    const logoutId = random.token();
    await database
      .insertInto('sign_outs')
      .values({
        id: fingerprint(logoutId),
        client_id: client?.clientId,
        hint_person_id: typeof subject === 'string' ? subject : null,
        post_logout_redirect_uri: withState(params['post_logout_redirect_uri'], params['state']),
        created_at: clock.now(),
        expires_at: addSeconds(clock.now(), signOutSeconds),
      })
      .execute();
    ctx.status = 303;
    const application = client && (await findClient(database, client.clientId));
    ctx.redirect(pageAddressFor(application, signOutPage, { logoutId }));
  };
}

/** The sign-out that an id stands for, while it is fresh. */
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
      hintPersonId: row.hint_person_id ?? undefined,
      postLogoutRedirectUri: row.post_logout_redirect_uri ?? undefined,
      askedAt: row.created_at,
    }
  );
}

/** Forgets sign-outs that nobody confirmed; answers how many. */
export async function pruneSignOuts({
  database,
  clock,
}: Pick<Services, 'database' | 'clock'>): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('sign_outs')
    .where('expires_at', '<=', clock.now())
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function withState(address: unknown, state: unknown): string | undefined {
  if (typeof address !== 'string') return undefined;
  if (typeof state !== 'string') return address;
  const url = new URL(address);
  url.searchParams.set('state', state);
  return url.href;
}
