import { awaitedSteps, extensions } from '@anteroom/contract';
import type { CallAnswer, Extension } from '@anteroom/contract';
import { listAskable } from '../factors/factors.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { pageAddress } from '../http/page-addresses.ts';
import type { CallHandler } from '../http/routes.ts';
import { accountClientId } from '../provider/account-client.ts';
import { findClient } from '../provider/clients-store.ts';
import type { Client } from '../provider/clients-store.ts';
import { findLastApplication } from '../provider/last-application.ts';
import { isElevateRequested, isProofRequested } from '../provider/prompts.ts';
import { buildReturnUrl } from '../provider/return-url.ts';
import { codeValidityMinutes } from '../factors/code-limits.ts';
import type { FoundSession, SignedInSession } from '../sessions/session.ts';
import { findEvidence } from './proofs.ts';
import type { Proofs } from './proofs.ts';
import { findLatestSignIn } from './sign-ins-store.ts';
import type { SignIn } from './sign-ins-store.ts';
import {
  findForgotPasswordUrl,
  findHome,
  findOrganisation,
  findNamedSite,
  resolveSite,
} from '../sites/resolve-site.ts';
import { findSite } from '../sites/sites-store.ts';
import type { Site } from '../sites/sites-store.ts';
import { findActiveUser } from '../users/users-store.ts';
import { findStep } from './advance.ts';
import { findFinishedLocation, findSignInLeftBehindNamed, isLeftBehind } from './finished-location.ts';
import { isPasswordAskedFirst } from '../company/home-realm-discovery.ts';
import { describeSecondFactor } from './second-factor-step.ts';
import { mayOfferAccounts } from './remembered-accounts.ts';
import { isFrom } from './sign-in-facts.ts';
import type { SignInServices } from './sign-in-services.ts';
import { findActiveSignIn, noSuchSignIn } from './find-sign-in.ts';
import { findContinuedSession, findVisit } from './visit.ts';

type AuthContext = CallAnswer<'getAuthContext'>;

/** Returns what the front end needs to begin a sign-in, or to continue it after a reload. */
export function createGetAuthContext(services: SignInServices): CallHandler<'getAuthContext'> {
  return async ({ query }, exchange) => {
    const { returnUrl, site } = query;
    const signIn =
      (await findActiveSignIn(services, returnUrl, exchange)) ??
      (await findSignInLeftBehindNamed(services, returnUrl, exchange));
    if (signIn === undefined) throw noSuchSignIn();
    const context = await describeSignIn(services, signIn, site, exchange);
    const finishedLocation = await findFinishedLocation(services, signIn, site, exchange);
    if (finishedLocation === undefined && isLeftBehind(services, signIn)) throw noSuchSignIn();
    return { ...context, finishedLocation };
  };
}

/** Returns the same data as `getAuthContext`, for the sign-in that this browser advanced last. */
export function createGetRefreshContext(services: SignInServices): CallHandler<'getRefreshContext'> {
  return async (_input, exchange) =>
    await describeSignIn(services, await requireLatestSignIn(services, exchange), undefined, exchange);
}

async function requireLatestSignIn({ database, clock }: SignInServices, exchange: Exchange): Promise<SignIn> {
  const browserId = await exchange.findBrowserId();
  const signIn =
    browserId === undefined ? undefined : await findLatestSignIn(database, browserId, clock.now());
  if (signIn === undefined)
    throw new ContractError('not_found', { detail: 'no sign-in in progress in this browser' });
  return signIn;
}

async function describeSignIn(
  services: SignInServices,
  signIn: SignIn,
  rememberedSite: string | undefined,
  exchange: Exchange,
): Promise<AuthContext> {
  const { config, database } = services;
  const found = await exchange.findSession();
  // Sets a fresh anti-forgery cookie, which the next steps require.
  await exchange.ensureSession();
  const client = await findClient(database, signIn.clientId);
  const session = await findContinuedSession(services, signIn, exchange);
  const user = session && (await findActiveUser(database, session.userId));
  const evidence = user && findEvidence(signIn, user);
  const isProvedHere = session !== undefined && evidence !== undefined && isFrom(session, evidence);
  const proofIsDue = isProofRequested(signIn) && !isProvedHere;
  const site = withListedHome(
    services,
    await findKnownSite(services, signIn, session, rememberedSite, exchange),
  );
  const selectSite =
    session !== undefined &&
    !proofIsDue &&
    (session.authSite === undefined ||
      signIn.promptMethod === 'switch_site' ||
      (isPasswordChanged(evidence) && (await isSiteChoiceDue(services, signIn, exchange))));
  // A site is selected in the region of the session. Without this address, the page would first ask for the site name.
  const homeOfSite = findHome(config, site?.identityServiceUrl) ?? config.publicUrl;
  const homeOfStep = selectSite ? config.publicUrl : site && homeOfSite;
  const { displayName, logoPath } = findOrganisation(site);

  return {
    defaultSite: site?.name,
    defaultSiteDisplayName: displayName,
    defaultSiteLogoPath: logoPath,
    selectSite,
    userName: user?.userName,
    promptMethod: findDuePrompt(signIn, evidence, isProvedHere),
    identityServiceUrl: homeOfStep,
    forgotPasswordUrl: findForgotPasswordUrl(site, homeOfSite),
    siteRecoveryClientUri: pageAddress(config.publicUrl, 'forgottenSite'),
    allowDefaultSiteEntry: signIn.parameters['site'] === undefined,
    allowUserNameEntry: user === undefined,
    allowPasswordEntry: site === undefined || isPasswordAskedFirst(site, found),
    cancelRedirectUri: await findCancelAddress(services, signIn, client, exchange),
    originalClientUri: client?.homeUri,
    reauthRequested: user !== undefined && proofIsDue && signIn.promptMethod === undefined,
    loginHint: signIn.parameters['login_hint'],
    clientId: signIn.clientId,
    returnUrl: buildReturnUrl(uidForPage(signIn, exchange), signIn.parameters),
    loginFlowCustomizations: client?.customizations,
    branding: client?.branding,
    mfaCodeValidityInMinutes: codeValidityMinutes,
    ...(await describeAwaitedStep(services, signIn, exchange)),
    extensions: listExtensions(services),
    ...(session === undefined &&
      client?.remembersAccounts === true &&
      (await listRememberedAccounts(services, signIn, exchange))),
    session: describeSession(found, session),
  };
}

/**
 * The target of "back to boards". The account page asks for a confirmation itself and would ask again: it leads to the
 * application.
 */
async function findCancelAddress(
  services: SignInServices,
  { clientId, promptMethod }: SignIn,
  client: Client | undefined,
  exchange: Exchange,
): Promise<string | undefined> {
  if (clientId !== accountClientId || promptMethod !== 'elevate') return client?.cancelUri;
  const application = await findLastApplication(services, exchange);
  return application?.cancelUri ?? application?.homeUri;
}

/**
 * The prompt that the user has not answered yet. A complete sign-in also answers `elevate`, so its page shows that
 * reason. A password change that the user has completed is not requested again.
 */
function findDuePrompt(
  signIn: SignIn,
  evidence: Proofs | undefined,
  isProvedHere: boolean,
): AuthContext['promptMethod'] {
  if (signIn.promptMethod === 'change_password' && isPasswordChanged(evidence)) return undefined;
  return signIn.promptMethod ?? (isElevateRequested(signIn) && !isProvedHere ? 'elevate' : undefined);
}

const isPasswordChanged = (evidence: Proofs | undefined): boolean =>
  evidence?.['password-change'] !== undefined;

/**
 * Whether the user must select a site before the sign-in continues, because the user can no longer enter the session's
 * site.
 */
async function isSiteChoiceDue(
  services: SignInServices,
  signIn: SignIn,
  exchange: Exchange,
): Promise<boolean> {
  const visit = await findVisit(services, signIn, exchange);
  const otherwise = visit && (await findStep(services, visit))?.otherwise;
  return otherwise !== undefined && 'status' in otherwise && otherwise.status === 'select_site_required';
}

/** Only for the page of this origin: the pages of other regions must not read who uses the browser. */
async function listRememberedAccounts(
  { config, rememberedAccounts }: SignInServices,
  signIn: SignIn,
  exchange: Exchange,
): Promise<Pick<AuthContext, 'rememberedAccounts'>> {
  const isOwnPage = exchange.origin === undefined || exchange.origin === config.publicUrl;
  const accounts =
    isOwnPage && mayOfferAccounts(signIn) ? await rememberedAccounts.list(signIn, exchange) : [];
  return accounts.length === 0 ? {} : { rememberedAccounts: accounts };
}

/** Lists the extensions that pages may use: those about passkeys once an operator has set the RP ID. */
function listExtensions({ passkeys }: SignInServices): Extension[] {
  return extensions.filter((name) => passkeys !== undefined || !name.startsWith('passkey'));
}

/**
 * The id of the sign-in for the calling page. A page of another region gets the id that the sign-in has in that region.
 */
function uidForPage({ uid, region }: SignIn, exchange: Exchange): string {
  return region !== undefined && exchange.origin === region.url ? region.uid : uid;
}

/** The step between the password and the session, for a page that was reloaded there. */
async function describeAwaitedStep(services: SignInServices, signIn: SignIn, exchange: Exchange) {
  const visit = await findVisit(services, signIn, exchange);
  if (visit === undefined) return {};
  // The first call of a page does not list its extensions yet, so this assumes that the page knows all of them.
  const knows = (): boolean => true;
  const step = await findStep(services, visit, knows);
  const status = step?.stage === 'before-session' && 'status' in step.otherwise ? step.otherwise.status : '';
  const awaitedStep = awaitedSteps.find((name) => name === status);
  if (awaitedStep !== 'second_factor_required') return { awaitedStep };
  const asked = listAskable(visit.user, visit.site, knows);
  return { awaitedStep, ...(await describeSecondFactor(services, visit, asked, knows)) };
}

/** The site to sign in at, if known. For `switch_tenant`, the field of the site stays empty. */
async function findKnownSite(
  { database }: SignInServices,
  { promptMethod, parameters }: SignIn,
  session: SignedInSession | undefined,
  remembered: string | undefined,
  exchange: Exchange,
): Promise<Site | undefined> {
  if (promptMethod === 'switch_tenant') return undefined;
  const named = parameters['site'] ?? session?.authSite;
  if (named) return await findNamedSite(database, named, exchange);
  if (!remembered) return undefined;
  try {
    // Counts as a guess of a site name: the request can contain any name, and the response describes the organisation.
    return await exchange.guessSite(() =>
      resolveSite(database, remembered, (name) => findSite(database, name)),
    );
  } catch (error) {
    if (error instanceof ContractError && error.code === 'rate_limit_reached') return undefined;
    throw error;
  }
}

/** Ignores a site whose home region is not in the settings, so that no browser is sent there (attacks and faults, S57). */
function withListedHome(
  { config }: Pick<SignInServices, 'config'>,
  site: Site | undefined,
): Site | undefined {
  return findHome(config, site?.identityServiceUrl) === undefined ? undefined : site;
}

function describeSession(found: FoundSession, session: SignedInSession | undefined): AuthContext['session'] {
  if (session !== undefined) {
    return {
      state: 'valid',
      authSite: session.authSite,
      isExternallyAuthenticated: session.externallyAuthenticated,
    };
  }
  return { state: found.state === 'expired' ? 'expired' : 'none', isExternallyAuthenticated: false };
}
