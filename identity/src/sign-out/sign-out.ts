import type { Exchange } from '../http/exchange.ts';
import { findClient } from '../provider/clients-store.ts';
import type { Client } from '../provider/clients-store.ts';
import { findLastApplication } from '../provider/last-application.ts';
import { isPageClient } from '../provider/management-clients.ts';
import { endSessions } from './end-sessions.ts';
import { endProviderSessions } from '../provider/provider-sessions.ts';
import { findSignOutFrameAddress } from './sign-out-frame.ts';
import { findSignOut } from './sign-outs.ts';
import type { SignOut } from './sign-outs.ts';
import { findLatest } from '../sessions/assurance.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { findLatestSignIn } from '../sign-in/sign-ins-store.ts';
import type { CallHandler } from '../http/routes.ts';
import { buildSignOutAddress, toPageTarget, findCompanyOfSession } from './external-sign-out.ts';
import { sealLogoutSubject } from './saml-sign-out.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';

/**
 * Returns what the sign-out page needs. A signed-in user must confirm the sign-out, unless the application identifies
 * the user with an ID token. Without that rule, a link or an image on another site could sign a user out (attacks and
 * faults, S14).
 */
export function createGetLogoutContext(services: SignInServices): CallHandler<'getLogoutContext'> {
  return async ({ query }, exchange) => {
    const found = await exchange.findSession();
    // Sets the anti-forgery cookie, which the sign-out requires.
    await exchange.ensureSession();
    const asked = query.logoutId === undefined ? undefined : await findSignOut(services, query.logoutId);
    const client = await findApplication(services, exchange, asked);
    const onwards = asked?.postLogoutRedirectUri ?? client?.homeUri;
    const company = await findCompanyOfSession(services, found);
    const requiresConfirmation = found.state === 'valid' && !isRequested(found.session, asked);
    return {
      // Leads through the identity provider if the connection is configured for it.
      postLogoutRedirectUri:
        buildSignOutAddress(services, company, onwards) ?? toPageTarget(services, onwards),
      requiresConfirmation,
      // "Cancel" redirects to the same target as a sign-out (specification, point 4, logout 4).
      showCancelButton: requiresConfirmation && onwards !== undefined,
      signOutIFrameUrl: await findSignOutFrameAddress(
        services,
        await services.provider.findApplications(exchange),
        sealLogoutSubject(services, company),
      ),
      branding: client?.branding,
    };
  };
}

/**
 * The application to return to: that of the request; without one, as from the site list, that of the unfinished sign-in
 * which this browser advanced last; without that, or from the account page, the one that the session entered last.
 */
async function findApplication(
  services: SignInServices,
  exchange: Exchange,
  asked: SignOut | undefined,
): Promise<Client | undefined> {
  const { database, clock } = services;
  if (asked !== undefined)
    return asked.clientId === undefined ? undefined : await findClient(database, asked.clientId);
  const browserId = await exchange.findBrowserId();
  const signIn =
    browserId === undefined ? undefined : await findLatestSignIn(database, browserId, clock.now());
  return signIn === undefined || isPageClient(signIn.clientId)
    ? await findLastApplication(services, exchange)
    : await findClient(database, signIn.clientId);
}

/**
 * Whether the application requested the sign-out of this session. The request does not apply to a session that began
 * after it, because its URL stays in the browser's history.
 */
function isRequested({ userId, methods, createdAt }: SignedInSession, asked: SignOut | undefined): boolean {
  return asked?.hintUserId === userId && (findLatest(methods) ?? createdAt) <= asked.askedAt;
}

/** Ends the session and its grants at applications. Without a session, the response is the same. */
export function createSignOut({
  database,
  clock,
  provider,
  audit,
  regions,
}: Pick<SignInServices, 'database' | 'clock' | 'provider' | 'audit' | 'regions'>): CallHandler<'signOut'> {
  return async (_input, exchange) => {
    const found = await exchange.findSession();
    // The session of oidc-provider in this browser may outlive the service's session.
    const providerSession = await provider.findSession(exchange);
    await database.transaction().execute(async (transaction) => {
      const idHash = found.state === 'expired' ? found.idHash : found.session?.idHash;
      if (idHash !== undefined) await endSessions(transaction, { idHashes: [idHash] }, clock.now());
      if (providerSession !== undefined) await endProviderSessions(transaction, [providerSession]);
    });
    // An anonymous session stays, because a sign-in in another tab may need it.
    if (found.state !== 'none') exchange.forgetSession();
    provider.forgetSession(exchange);
    provider.notifyApplications();
    // Also ends the sessions in other regions that are linked by a hand-over.
    regions?.linkNotices.sendDue();
    // Clears what a script of the page may have stored. Keeps the cookies, because language and site belong to the
    // browser, not the user, and the cache, which contains only hashed assets (attacks and faults, S21).
    exchange.setHeader('clear-site-data', '"storage"');
    if (found.state !== 'valid') return;
    const { userId, idHash: sessionHash, authSite: site } = found.session;
    audit.note({ event: 'sign-out', result: 'success', userId, sessionHash, site }, exchange);
  };
}
