import type { CallAnswer, CallInput } from '@anteroom/contract';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { pageAddress } from '../http/page-addresses.ts';
import { findHome } from '../lib/home-region.ts';
import { findClient } from '../openid/clients-store.ts';
import { buildReturnUrl } from '../openid/return-url.ts';
import type { SignIn } from '../openid/sign-ins-store.ts';
import { findActivePerson } from '../people/people-store.ts';
import type { FoundSession, SignedInSession } from '../sessions/session.ts';
import { findSite } from '../sites/sites-store.ts';
import type { Site } from '../sites/sites-store.ts';
import { isPasswordAskedFirst } from './find-connection.ts';
import { browserIdOf, requireSignIn } from './find-sign-in.ts';
import { findLatestSignIn } from './progress-store.ts';
import { codeValidityMinutes } from '../second-factor/figures.ts';
import { describeSecondFactor } from './second-step.ts';
import type { SignInServices } from './sign-in-services.ts';
import { isFrom, isProofRequested, isSamePersonAsked } from './standing.ts';

type AuthContext = CallAnswer<'getAuthContext'>;

/** What the front end must know to begin a sign-in, or to go on with it after a reload. */
export function createGetAuthContext(services: SignInServices) {
  return async ({ query }: CallInput<'getAuthContext'>, exchange: Exchange): Promise<AuthContext> => {
    const signIn = await requireSignIn(services, query.returnUrl, exchange);
    return await describeSignIn(services, signIn, query.site, exchange);
  };
}

/** The same after a step has changed it: of the sign-in that this browser advanced last. */
export function createGetRefreshContext(services: SignInServices) {
  return async (_input: CallInput<'getRefreshContext'>, exchange: Exchange): Promise<AuthContext> =>
    await describeSignIn(services, await requireLatestSignIn(services, exchange), undefined, exchange);
}

async function requireLatestSignIn({ database, clock }: SignInServices, exchange: Exchange): Promise<SignIn> {
  const browserId = browserIdOf(await exchange.findSession());
  const signIn =
    browserId === undefined ? undefined : await findLatestSignIn(database, browserId, clock.now());
  if (signIn === undefined)
    throw new ContractError('not_found', { detail: 'no sign-in under way in this browser' });
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
  // sets a fresh anti-forgery cookie, which the steps that follow are asked for
  await exchange.ensureSession();
  const client = await findClient(database, signIn.clientId);
  const session = found.state === 'valid' && isSamePersonAsked(signIn) ? found.session : undefined;
  const person = session && (await findActivePerson(database, session.personId));
  const proofIsDue = isProofRequested(signIn) && !(session !== undefined && isFrom(session, signIn));
  const site = withListedHome(services, await findKnownSite(services, signIn, session, rememberedSite));
  const selectSite =
    session !== undefined &&
    !proofIsDue &&
    (session.authSite === undefined || signIn.promptMethod === 'switch_site');
  // whoever is to choose a site does so where the session is: without an address the page would ask for a site's name first
  const homeOfSite = findHome(config, site?.identityServiceUrl) ?? config.publicUrl;
  const homeOfStep = selectSite ? config.publicUrl : site && homeOfSite;

  return {
    defaultSite: site?.name,
    selectSite,
    userName: person?.userName,
    promptMethod: signIn.promptMethod,
    identityServiceUrl: homeOfStep,
    // whoever has a password has it at the site's home
    forgotPasswordUrl: pageAddress(homeOfSite, 'forgottenPassword'),
    siteRecoveryClientUri: pageAddress(config.publicUrl, 'forgottenSite'),
    allowDefaultSiteEntry: signIn.parameters['site'] === undefined,
    allowUserNameEntry: person === undefined,
    allowPasswordEntry: site === undefined || isPasswordAskedFirst(site, found),
    cancelRedirectUri: client?.cancelUri,
    originalClientUri: client?.homeUri,
    reauthRequested: person !== undefined && proofIsDue && signIn.promptMethod === undefined,
    loginHint: signIn.parameters['login_hint'],
    clientId: signIn.clientId,
    returnUrl: buildReturnUrl(nameOf(signIn, exchange), signIn.parameters),
    loginFlowCustomizations: client?.customizations,
    branding: client?.branding,
    mfaCodeValidityInMinutes: codeValidityMinutes,
    ...(await describeAwaitedCode(services, signIn, site)),
    session: describeSession(found, session),
  };
}

/** A page of another region knows a sign-in by its own name for it. */
function nameOf({ uid, region }: SignIn, exchange: Exchange): string {
  return region !== undefined && exchange.raw.request.headers.origin === region.url ? region.uid : uid;
}

/** For a page that was loaded again between the password and the code. */
async function describeAwaitedCode(services: SignInServices, signIn: SignIn, site: Site | undefined) {
  const { uid, personId } = signIn;
  if (personId === undefined || !(await services.secondFactor.isAwaited({ uid, personId }))) return {};
  const person = await findActivePerson(services.database, personId);
  return person?.phoneNumber === undefined
    ? {}
    : await describeSecondFactor(services, signIn, person.phoneNumber, site);
}

/** The site that is known already. Another tenant is entered from nothing: its field is empty. */
async function findKnownSite(
  { database }: SignInServices,
  { promptMethod, parameters }: SignIn,
  session: SignedInSession | undefined,
  remembered: string | undefined,
): Promise<Site | undefined> {
  if (promptMethod === 'switch_tenant') return undefined;
  const name = parameters['site'] ?? session?.authSite ?? remembered;
  return name === undefined || name === '' ? undefined : await findSite(database, name);
}

/** A site whose home the settings do not list is none: nobody is led there (attacks and faults, S57). */
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
