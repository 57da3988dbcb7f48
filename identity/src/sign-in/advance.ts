import { calls } from '@anteroom/contract';
import type { CallAnswer } from '@anteroom/contract';
import { noteRefusal } from '../audit/audit.ts';
import { ContractError } from '../http/errors.ts';
import { knowsExtension } from '../http/exchange.ts';
import type { Exchange } from '../http/exchange.ts';
import { isSecondFactorRequested } from '../openid/requested-acr.ts';
import { buildReturnUrl } from '../openid/return-url.ts';
import { hasPasskey } from '../sessions/assurance.ts';
import type { AuthenticationMethod, SignedInSession } from '../sessions/session.ts';
import type { Proofs } from '../sign-ins/proofs.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';
import { findAskedFactor, listCodeFactors } from '../sites/second-factors.ts';
import type { Site } from '../sites/sites-store.ts';
import type { Person } from '../users/users-store.ts';
import { beginSession } from './begin-session.ts';
import type { WithSession } from './begin-session.ts';
import { beginHandOver } from './hand-over.ts';
import { findNextStep } from './next-step.ts';
import type { Check } from './next-step.ts';
import { findPasskeyOffer } from './passkey-offer.ts';
import { describeSecondFactor, isAdaptive, subjectOf, toChallenge } from './second-step.ts';
import { methodsOf } from './shown-factors.ts';
import { findProvider, isElsewhere, isFrom, toSignInFacts, unknownConnection } from './sign-in-facts.ts';
import type { SignInServices } from './sign-in-services.ts';
import { accountChanged } from './visit.ts';
import type { Visit } from './visit.ts';

type AuthResponse = CallAnswer<'authenticate'>;

/**
 * Continues a sign-in after a successful step: requests the next step, or finishes the sign-in. Once the user is fully
 * authenticated, begins a session with a new id (attacks and faults, S22). `withSession` runs in the transaction that
 * begins the session.
 * @throws the contract error of a check that ends the attempt, such as `site_requires_mfa`; `unauthorized` if the
 * account changed during the call
 */
export async function advance(
  services: SignInServices,
  visit: Visit,
  withSession?: WithSession,
): Promise<AuthResponse> {
  const { signIn, person, site, exchange } = visit;
  const step = await findStep(services, visit);
  if (step?.stage === 'before-session') return await requestProof(services, step, visit);

  const isOfAnotherRegion = site !== undefined && isElsewhere(site, services.config.publicUrl);
  // A site with a failed check is not stored in the session: the next application would skip that check. A site of
  // another region is not stored either: this region does not issue tokens for it.
  const entered = step === undefined && !isOfAnotherRegion ? site : undefined;
  const isFinished = step === undefined && !isOfAnotherRegion;
  const ensured = await ensureSession(services, visit, { site: entered, withSession, isFinished });
  const { session } = ensured;
  if (step !== undefined) {
    return 'redirectTo' in step.otherwise && site !== undefined
      ? { status: 'redirect', location: externalRedirectAddress(services, signIn, site) }
      : toResponse(step, exchange);
  }
  if (isOfAnotherRegion) return await beginHandOver(services, signIn, { person, session, site }, exchange);
  const finished = ensured.location?.() ?? (await services.openid.finishSignIn.finish(signIn, session));
  const location = (await findPasskeyOffer(services, signIn, exchange)) ?? finished;
  const facts = { personId: person.id, clientId: signIn.clientId, site: site?.name };
  services.audit.note(
    { event: 'sign-in.finish', result: 'success', ...facts, sessionHash: session.idHash },
    exchange,
  );
  return { status: 'redirect', location };
}

/** The first check that the sign-in fails; undefined if the sign-in is complete. */
export async function findStep(services: SignInServices, visit: Visit): Promise<Check | undefined> {
  return findNextStep(
    toSignInFacts(visit, {
      isRemembered: await isDeviceRemembered(services, visit),
      knowsApps: knowsExtension(visit.exchange, 'totp'),
      ownUrl: services.config.publicUrl,
      now: services.clock.now(),
    }),
  );
}

/**
 * Whether this computer is remembered for the user, and both the site and the application accept that instead of a
 * code. A request for an `acr` always requires a new code.
 */
export async function isDeviceRemembered(
  services: SignInServices,
  {
    signIn,
    person,
    site,
    exchange,
  }: Pick<Visit, 'person' | 'site' | 'exchange'> & {
    signIn: Pick<SignIn, 'clientId'> & Partial<Pick<SignIn, 'parameters'>>;
  },
): Promise<boolean> {
  const { devices, secondFactor } = services;
  return (
    !isSecondFactorRequested(signIn.parameters ?? {}) &&
    person.secondFactor !== undefined &&
    (await secondFactor.devices.isRemembered(devices.read(exchange), person.id)) &&
    (await isAdaptive(services, signIn, site))
  );
}

/** Requests the missing proof. Sends an SMS code if the user must enter one. */
async function requestProof(services: SignInServices, step: Check, visit: Visit): Promise<AuthResponse> {
  const { signIn, person, site, exchange } = visit;
  const response = toResponse(step, exchange);
  if (response.status !== 'second_factor_required') return response;
  const factor = findAskedFactor(listCodeFactors(person, site), knowsExtension(exchange, 'totp'));
  if (factor !== 'sms' || person.phoneNumber === undefined) {
    await services.secondFactor.beginWithApp(subjectOf(visit));
    return { ...response, mfaAdaptivePolicyEnabled: await isAdaptive(services, signIn, site) };
  }
  const challenge = await toChallenge(services, visit, person.phoneNumber);
  const facts = { personId: person.id, clientId: signIn.clientId, site: site?.name };
  const noted = { event: 'second-factor.send', ...facts, details: { factor: 'sms' } } as const;
  const sending = await noteRefusal(services.audit, noted, exchange, () =>
    services.secondFactor.begin(challenge),
  );
  const outcome =
    sending === 'sent' ? { result: 'success' as const } : { result: 'failure' as const, reason: sending };
  services.audit.note({ ...noted, ...outcome }, exchange);
  return { ...response, ...(await describeSecondFactor(services, visit, person.phoneNumber)) };
}

function toResponse({ name, reason, otherwise }: Check, exchange: Exchange): AuthResponse {
  if ('error' in otherwise) throw new ContractError(otherwise.error, { detail: reason });
  if ('redirectTo' in otherwise) throw new Error('A redirect to the provider of a site needs a site');
  exchange.log.info({ check: name }, 'a sign-in needs another step');
  return { status: otherwise.status };
}

/** The address that redirects to the site's identity provider; the sign-in continues when the browser returns. */
function externalRedirectAddress(
  { config }: SignInServices,
  { uid, parameters }: SignIn,
  site: Site,
): string {
  const query = new URLSearchParams({ site: site.name, returnUrl: buildReturnUrl(uid, parameters) });
  return `${config.publicUrl}${calls.getExternalRedirect.path}?${query.toString()}`;
}

type EnsuredSession = {
  session: SignedInSession;
  /**
   * Returns the redirect target of a sign-in that was finished together with the session.
   * @throws `not_found` if the sign-in has expired
   */
  location?: () => string;
};

/**
 * Begins a session if the user has given a new proof in this sign-in; otherwise sets the site of the current session.
 */
async function ensureSession(
  services: SignInServices,
  { signIn, person, session: current, evidence, exchange }: Visit,
  {
    site,
    withSession,
    isFinished,
  }: { site: Site | undefined; withSession: WithSession | undefined; isFinished: boolean },
): Promise<EnsuredSession> {
  const { sessions, knownBrowsers, audit } = services;
  if (current === undefined || hasProvedMore(evidence, current)) {
    const connectionId = findProvider(evidence, current);
    const isSameProof = current?.connectionId === connectionId;
    const methods = methodsOf(evidence, current);
    // The session keeps its site only if the same connection (or the password) authenticated the user.
    const authSite = site?.name ?? (isSameProof ? current?.authSite : undefined);
    const authenticatedAt = services.clock.now();
    const { id: personId, securityVersion } = person;
    const alongside = isFinished
      ? services.openid.finishSignIn.alongside(signIn, {
          personId,
          securityVersion,
          methods,
          authenticatedAt,
        })
      : undefined;
    const { session: begun, isFinished: isFinishedWithIt } = await beginSession(
      services,
      {
        account: person,
        authSite,
        methods,
        authenticatedAt,
        externallyAuthenticated: connectionId !== undefined,
        connectionId: connectionId === unknownConnection ? undefined : connectionId,
      },
      exchange,
      { withSession, finishing: alongside?.finishing },
    );
    knownBrowsers.note(exchange, person.id);
    const facts = { personId: person.id, clientId: signIn.clientId, site: authSite };
    const details = {
      methods: methods.join(' '),
      secondFactor: secondFactorOf(person, methods),
      replaced: current?.idHash,
    };
    audit.note(
      { event: 'session.begin', result: 'success', ...facts, sessionHash: begun.idHash, details },
      exchange,
    );
    return {
      session: begun,
      ...(alongside && { location: () => alongside.requireLocation(isFinishedWithIt) }),
    };
  }
  if (site === undefined || current.authSite === site.name) return { session: current };
  if (!(await sessions.setAuthSite(current.idHash, site.name))) throw accountChanged();
  return { session: { ...current, authSite: site.name } };
}

/** For the audit log: the second factor that the user has used, or the reason why none was needed. */
function secondFactorOf({ secondFactor }: Person, methods: readonly AuthenticationMethod[]): string {
  if (methods.includes('otp')) return 'totp';
  if (methods.includes('sms')) return 'sms';
  if (hasPasskey(methods)) return 'passkey';
  if (methods.includes('fed')) return 'left to the provider';
  return secondFactor === undefined ? 'none' : 'remembered device';
}

/** Whether this sign-in has a proof that the session does not include yet. */
function hasProvedMore(evidence: Proofs, session: SignedInSession): boolean {
  return (
    ((evidence.password ?? evidence.company ?? evidence.passkey) !== undefined &&
      !isFrom(session, evidence)) ||
    (evidence['sms-code'] !== undefined && !session.methods.includes('sms')) ||
    (evidence['authenticator-code'] !== undefined && !session.methods.includes('otp'))
  );
}
