import type { Exchange } from '../http/exchange.ts';
import { findClient } from '../provider/clients-store.ts';
import { requireLoginAddress } from '../provider/finish.ts';
import { initiateLoginAddress } from '../provider/initiate-login.ts';
import { isHintedUser, isAnsweredByLaterSession } from '../provider/prompts.ts';
import { buildReturnUrl, parseReturnUrl, buildAuthorizeUrl } from '../provider/return-url.ts';
import type { Services } from '../services.ts';
import { findSignInLeftBehind, recordProofs, hasUnfollowedSignIn } from './sign-ins-store.ts';
import type { SignIn } from './sign-ins-store.ts';
import { findSite } from '../sites/sites-store.ts';
import { ContractError } from '../http/errors.ts';
import type { CallHandler } from '../http/routes.ts';
import { advance, findStep } from './advance.ts';
import type { SignInServices } from './sign-in-services.ts';
import { findActiveSignIn } from './find-sign-in.ts';
import { findVisit } from './visit.ts';
import type { Visit } from './visit.ts';
import { findPasskeyOffer } from './passkey-offer.ts';

/**
 * The sign-in of a return address that this browser can no longer continue: the browser has already followed it to the
 * application, or it expired while a user is signed in.
 */
export async function findSignInLeftBehindNamed(
  { config, database, clock }: Pick<Services, 'config' | 'database' | 'clock'>,
  returnUrl: string | undefined,
  exchange: Exchange,
): Promise<SignIn | undefined> {
  const uid = parseReturnUrl(returnUrl, config.publicUrl)?.uid;
  const browserId = await exchange.findBrowserId();
  if (uid === undefined || browserId === undefined) return undefined;
  const found = await exchange.findSession();
  const userId = found.state === 'valid' ? found.session.userId : undefined;
  return await findSignInLeftBehind(database, { uid, browserId, userId }, clock.now());
}

/** Whether the sign-in accepts no further steps, so that its page can only redirect. */
export function isLeftBehind(
  { clock }: Pick<Services, 'clock'>,
  { followedAt, expiresAt }: Pick<SignIn, 'followedAt' | 'expiresAt'>,
): boolean {
  return followedAt !== undefined || expiresAt <= clock.now();
}

/** The address to redirect to at once if the sign-in needs nothing from the visitor (wire contract, `finishedLocation`). */
export async function findFinishedLocation(
  services: SignInServices,
  signIn: SignIn,
  rememberedSite: string | undefined,
  exchange: Exchange,
): Promise<string | undefined> {
  if (isLeftBehind(services, signIn)) return await findStartPage(services, signIn.clientId);
  if (signIn.finishedAt !== undefined) return await findAddressToFollow(services, signIn);
  const visit = await findAnsweredVisit(services, signIn, rememberedSite, exchange);
  if (visit === undefined || (await findStep(services, visit)) !== undefined) return undefined;
  return (await advance(services, visit)).location ?? undefined;
}

/** The redirect target of a finished sign-in that the browser has not requested yet. */
async function findAddressToFollow(
  { config, database }: Pick<Services, 'config' | 'database'>,
  signIn: SignIn,
): Promise<string> {
  return signIn.region === undefined
    ? `${config.publicUrl}${buildReturnUrl(signIn.uid, signIn.parameters)}`
    : await requireLoginAddress({ config, database }, signIn);
}

/**
 * The application's start page, or its `initiate_login_uri`. The existing session completes the sign-in that this URI
 * starts.
 */
async function findStartPage(
  { config, database }: Pick<Services, 'config' | 'database'>,
  clientId: string,
): Promise<string | undefined> {
  const client = await findClient(database, clientId);
  if (client?.homeUri !== undefined || client?.initiateLoginUri === undefined) return client?.homeUri;
  return initiateLoginAddress(client.initiateLoginUri, config.publicUrl, {});
}

/**
 * The visit of a user who has signed in in another tab in the meantime. Undefined if the application or the visitor
 * requested a proof, a user or a site that differs from those of the session.
 */
async function findAnsweredVisit(
  services: SignInServices,
  signIn: SignIn,
  rememberedSite: string | undefined,
  exchange: Exchange,
): Promise<Visit | undefined> {
  const { database, clock } = services;
  const found = await exchange.findSession();
  if (found.state !== 'valid' || signIn.region !== undefined) return undefined;
  const { userId, authSite } = found.session;
  const { parameters } = signIn;
  if (authSite === undefined || !isAnsweredByLaterSession(signIn, found.session, clock.now()))
    return undefined;
  if (signIn.userId !== undefined && signIn.userId !== userId) return undefined;
  const namedSite = parameters['site'] ?? rememberedSite;
  if (namedSite && (await findSite(database, namedSite))?.name !== authSite) return undefined;
  if (!(await isHintedUser(database, parameters, userId))) return undefined;

  const visit = await findVisit(services, signIn, exchange, userId);
  if (visit?.session === undefined || visit.site?.name !== authSite) return undefined;
  const own = await recordProofs(database, { signIn, account: visit.user, proved: {}, at: clock.now() });
  // The session satisfies every reason to prompt, `max_age` included.
  return own && { ...visit, signIn: { ...own, reasons: [] } };
}

/**
 * Returns the redirect target of a finished sign-in: always a newly built authorization URL of this service. It
 * contains the id of the sign-in if this browser has that sign-in; otherwise, it starts the sign-in again.
 */
export function createGetPostLoginRedirect(services: SignInServices): CallHandler<'getPostLoginRedirect'> {
  const { config } = services;
  return async ({ query }, exchange) => {
    const address = parseReturnUrl(query.returnUrl, config.publicUrl);
    if (address === undefined)
      throw new ContractError('validation_failed', {
        detail: 'returnUrl must be a return address of this service',
      });
    const signIn = await findActiveSignIn(services, query.returnUrl, exchange, { extend: false });
    if (signIn?.finishedAt !== undefined) {
      const visit = services.passkeys && (await findVisit(services, signIn, exchange));
      const offer = visit && (await findPasskeyOffer(services, visit));
      return { location: offer ?? (await findAddressToFollow(services, signIn)) };
    }
    // A request to another region starts again there.
    const base = signIn?.region?.url ?? config.publicUrl;
    return { location: `${base}${buildAuthorizeUrl(address.parameters)}` };
  };
}

/**
 * Returns whether the browser has finished a sign-in without following its redirect; the page then repeats the
 * redirect.
 */
export function createGetRetry({
  database,
  clock,
}: Pick<SignInServices, 'database' | 'clock'>): CallHandler<'getRetry'> {
  return async (_input, exchange) => {
    const browserId = await exchange.findBrowserId();
    return {
      retry: browserId !== undefined && (await hasUnfollowedSignIn(database, browserId, clock.now())),
    };
  };
}
