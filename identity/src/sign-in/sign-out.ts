import type { CallAnswer, CallInput } from '@anteroom/contract';
import type { Exchange } from '../http/exchange.ts';
import { findClient } from '../openid/clients-store.ts';
import { findSignOutFrameAddress } from '../openid/sign-out-frame.ts';
import { findSignOut } from '../openid/sign-outs.ts';
import { findProviderOfSession, writeSignOutTrip } from './external-sign-out.ts';
import { sealToldProvider } from './saml-sign-out.ts';
import type { SignInServices } from './sign-in-services.ts';

/**
 * What a sign-out needs. Somebody who is signed in is asked, unless an application of theirs has named them with an ID
 * token: a link or an image of another site must not sign anybody out (attacks and faults, S14).
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
    const client =
      asked?.clientId === undefined ? undefined : await findClient(services.database, asked.clientId);
    const onwards = asked?.postLogoutRedirectUri ?? client?.homeUri;
    const provider = await findProviderOfSession(services, found);
    const requiresConfirmation = found.state === 'valid' && asked?.hintPersonId !== found.session.personId;
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

/** Ends the session here and everything that applications hold through it. Whoever is not signed in gets the same answer. */
export function createSignOut({
  openid,
  audit,
  regions,
}: Pick<SignInServices, 'openid' | 'audit' | 'regions'>) {
  return async (_input: CallInput<'signOut'>, exchange: Exchange): Promise<undefined> => {
    const found = await exchange.findSession();
    await exchange.endSession();
    await openid.endSession(exchange);
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
