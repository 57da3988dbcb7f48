import type { CallAnswer, CallInput } from '@anteroom/contract';
import type { Exchange } from '../http/exchange.ts';
import { findClient } from '../openid/clients-store.ts';
import { endSessions } from '../openid/end-sessions.ts';
import { endProviderSessions } from '../openid/provider-sessions.ts';
import { findSignOutFrameAddress } from '../openid/sign-out-frame.ts';
import { findSignOut } from '../openid/sign-outs.ts';
import type { SignOut } from '../openid/sign-outs.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { findProviderOfSession, writeSignOutTrip } from './external-sign-out.ts';
import { findLatestSignIn } from '../sign-ins/sign-ins-store.ts';
import { sealToldProvider } from './saml-sign-out.ts';
import type { SignInServices } from './sign-in-services.ts';

/**
 * What a sign-out needs. A user who is signed in confirms it, unless an application of theirs has named them with an ID
 * token: a link or an image of another site must not sign a user out (attacks and faults, S14).
 */
export function createGetLogoutContext(services: SignInServices) {
  return async (
    { query }: CallInput<'getLogoutContext'>,
    exchange: Exchange,
  ): Promise<CallAnswer<'getLogoutContext'>> => {
    const found = await exchange.findSession();
    // sets the anti-forgery cookie that the sign-out is asked for
    await exchange.ensureSession();
    const asked = query.logoutId === undefined ? undefined : await findSignOut(services, query.logoutId);
    const clientId = asked === undefined ? await findClientOfSignIn(services, exchange) : asked.clientId;
    const client = clientId === undefined ? undefined : await findClient(services.database, clientId);
    const onwards = asked?.postLogoutRedirectUri ?? client?.homeUri;
    const provider = await findProviderOfSession(services, found);
    const requiresConfirmation = found.state === 'valid' && !isAskedFor(found.session, asked);
    return {
      // by way of the company, where that is wanted
      postLogoutRedirectUri: writeSignOutTrip(services, provider, onwards) ?? onwards,
      requiresConfirmation,
      // "cancel" goes where a sign-out would have gone (specification, point 4, logout 4)
      showCancelButton: requiresConfirmation && onwards !== undefined,
      signOutIFrameUrl: await findSignOutFrameAddress(
        services,
        await services.openid.findApplications(exchange),
        sealToldProvider(services, provider),
      ),
      branding: client?.branding,
    };
  };
}

/** The sign-out on the site list names no application: it leads to the one whose sign-in this browser advanced last. */
async function findClientOfSignIn(
  { database, clock }: SignInServices,
  exchange: Exchange,
): Promise<string | undefined> {
  const browserId = await exchange.findBrowserId();
  const signIn =
    browserId === undefined ? undefined : await findLatestSignIn(database, browserId, clock.now());
  return signIn?.clientId;
}

/** An address with a logout id stays in the browser's history: it does not count for a session that began after the application asked. */
function isAskedFor({ personId, authenticatedAt }: SignedInSession, asked: SignOut | undefined): boolean {
  return asked?.hintPersonId === personId && authenticatedAt <= asked.askedAt;
}

/** Ends the session here and everything that applications hold through it. Whoever is not signed in gets the same answer. */
export function createSignOut({
  database,
  clock,
  openid,
  audit,
  regions,
}: Pick<SignInServices, 'database' | 'clock' | 'openid' | 'audit' | 'regions'>) {
  return async (_input: CallInput<'signOut'>, exchange: Exchange): Promise<undefined> => {
    const found = await exchange.findSession();
    // the provider's session of this browser may have outlived ours
    const providerSession = await openid.findSession(exchange);
    await database.transaction().execute(async (transaction) => {
      const idHash = found.state === 'expired' ? found.idHash : found.session?.idHash;
      if (idHash !== undefined) await endSessions(transaction, { idHashes: [idHash] }, clock.now());
      if (providerSession !== undefined) await endProviderSessions(transaction, [providerSession]);
    });
    // a browser that is not signed in keeps its pre-session, which a sign-in in another tab may need
    if (found.state !== 'none') exchange.forgetSession();
    openid.forgetSession(exchange);
    openid.tellApplications();
    // what was handed over, or came from another region, ends there as well
    regions?.linkNotices.tellDue();
    // What a script of the page may have kept. Not the cookies: the language and the site are the browser's, not the person's. Nor
    // the cache: it has hashed assets alone, everything else says `no-store` (attacks and faults, S21).
    exchange.setHeader('clear-site-data', '"storage"');
    if (found.state !== 'valid') return;
    const { personId, idHash: sessionHash, authSite: site } = found.session;
    audit.note({ event: 'sign-out', result: 'success', personId, sessionHash, site }, exchange);
  };
}
