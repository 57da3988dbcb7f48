import { calls } from '@anteroom/contract';
import type { CallAnswer } from '@anteroom/contract';
import { noteRefusal } from '../audit/note-refusal.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { isSecondFactorRequested } from '../openid/requested-acr.ts';
import { knowsExtension } from '../http/extensions.ts';
import { buildReturnUrl } from '../openid/return-url.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';
import type { Person } from '../users/users-store.ts';
import { hasPasskey } from '../sessions/assurance.ts';
import type { AuthenticationMethod, SignedInSession } from '../sessions/session.ts';
import type { Proofs } from '../sign-ins/proofs.ts';
import type { Site } from '../sites/sites-store.ts';
import { beginSession } from './begin-session.ts';
import type { WithSession } from './begin-session.ts';
import { findPasskeyOffer } from './passkey-offer.ts';
import { beginHandOver } from './hand-over.ts';
import { findNextStep } from './next-step.ts';
import type { Check } from './next-step.ts';
import { findAskedFactor, listCodeFactors } from './second-factors.ts';
import { describeSecondFactor, isAdaptive, subjectOf, toChallenge } from './second-step.ts';
import { findProvider, isElsewhere, isFrom, toSignInFacts, unknownConnection } from './sign-in-facts.ts';
import type { SignInServices } from './sign-in-services.ts';
import { accountChanged } from './visit.ts';
import type { Visit } from './visit.ts';

type AuthResponse = CallAnswer<'authenticate'>;

/**
 * Continues a sign-in after a step was passed: asks for what is missing, or finishes it. Once everything that proves the person holds,
 * the session begins with a new id (attacks and faults, S22); `withSession` is written together with it.
 * @throws the contract error of a check that ends the attempt, such as `site_requires_mfa`; `unauthorized` when the account changed meanwhile
 */
export async function advance(
  services: SignInServices,
  visit: Visit,
  withSession?: WithSession,
): Promise<AuthResponse> {
  const { signIn, person, site, exchange } = visit;
  const step = await findStep(services, visit);
  if (step?.stage === 'proof') return await askForProof(services, step, visit);

  const isOfAnotherRegion = site !== undefined && isElsewhere(site, services.config.publicUrl);
  // a site that still asks for something is not entered: the next application would be let straight in
  // a session here is never for a site that is entered elsewhere, so no token of ours speaks for it
  const entered = step === undefined && !isOfAnotherRegion ? site : undefined;
  const session = await holdSession(services, visit, entered, withSession);
  if (step !== undefined) {
    return 'trip' in step.otherwise && site !== undefined
      ? { status: 'redirect', location: tripAddress(services, signIn, site) }
      : ask(step, exchange);
  }
  if (isOfAnotherRegion) return await beginHandOver(services, signIn, { person, session, site }, exchange);
  const finished = await services.openid.finishSignIn(signIn, session);
  const location = (await findPasskeyOffer(services, signIn, exchange)) ?? finished;
  const facts = { personId: person.id, clientId: signIn.clientId, site: site?.name };
  services.audit.note(
    { event: 'sign-in.finish', result: 'success', ...facts, sessionHash: session.idHash },
    exchange,
  );
  return { status: 'redirect', location };
}

/** The first check of a sign-in that does not hold; undefined when it is complete. */
export async function findStep(services: SignInServices, visit: Visit): Promise<Check | undefined> {
  return findNextStep(
    toSignInFacts(visit, {
      isRemembered: await isRememberedHere(services, visit),
      knowsApps: knowsExtension(visit.exchange, 'totp'),
      ownUrl: services.config.publicUrl,
      now: services.clock.now(),
    }),
  );
}

/** Whether the computer was remembered for this person, and the site and the application go by that: an `acr` needs a new code. */
export async function isRememberedHere(
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

/** Asks for what still has to be proved; a code is sent on the way. */
async function askForProof(services: SignInServices, step: Check, visit: Visit): Promise<AuthResponse> {
  const { signIn, person, site, exchange } = visit;
  const asked = ask(step, exchange);
  if (asked.status !== 'second_factor_required') return asked;
  const factor = findAskedFactor(listCodeFactors(person, site), knowsExtension(exchange, 'totp'));
  if (factor !== 'sms' || person.phoneNumber === undefined) {
    await services.secondFactor.beginWithApp(subjectOf(visit));
    return { ...asked, mfaAdaptivePolicyEnabled: await isAdaptive(services, signIn, site) };
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
  return { ...asked, ...(await describeSecondFactor(services, visit, person.phoneNumber)) };
}

function ask({ name, reason, otherwise }: Check, exchange: Exchange): AuthResponse {
  if ('error' in otherwise) throw new ContractError(otherwise.error, { detail: reason });
  if ('trip' in otherwise) throw new Error('A trip without a site');
  exchange.log.info({ check: name }, 'a sign-in needs more');
  return { status: otherwise.status };
}

/** The site's people sign in elsewhere: the browser goes there, and the sign-in continues when it is back. */
function tripAddress({ config }: SignInServices, { uid, parameters }: SignIn, site: Site): string {
  const query = new URLSearchParams({ site: site.name, returnUrl: buildReturnUrl(uid, parameters) });
  return `${config.publicUrl}${calls.getExternalRedirect.path}?${query.toString()}`;
}

/** Begins or renews the session with what was proved, or notes the site in the one that stands. */
async function holdSession(
  services: SignInServices,
  { signIn, person, session: current, evidence, exchange }: Visit,
  site: Site | undefined,
  withSession: WithSession | undefined,
): Promise<SignedInSession> {
  const { sessions, knownBrowsers, audit } = services;
  if (current === undefined || hasProvedMore(evidence, current)) {
    const connectionId = findProvider(evidence, current);
    const isSameProof = current?.connectionId === connectionId;
    const methods = methodsOf(evidence, current);
    // a site that was entered with another proof is entered anew
    const authSite = site?.name ?? (isSameProof ? current?.authSite : undefined);
    const begun = await beginSession(
      services,
      {
        account: person,
        authSite,
        methods,
        externallyAuthenticated: connectionId !== undefined,
        connectionId: connectionId === unknownConnection ? undefined : connectionId,
      },
      exchange,
      withSession,
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
    return begun;
  }
  if (site === undefined || current.authSite === site.name) return current;
  if (!(await sessions.setAuthSite(current.idHash, site.name))) throw accountChanged();
  return { ...current, authSite: site.name };
}

/** For the audit log: what stood in for the code, where there was none. */
function secondFactorOf({ secondFactor }: Person, methods: readonly AuthenticationMethod[]): string {
  if (methods.includes('otp')) return 'totp';
  if (methods.includes('sms')) return 'sms';
  if (hasPasskey(methods)) return 'passkey';
  if (methods.includes('fed')) return 'left to the provider';
  return secondFactor === undefined ? 'none' : 'remembered device';
}

/** Whether the person has proved something in the sign-in that the session does not know of. */
function hasProvedMore(evidence: Proofs, session: SignedInSession): boolean {
  return (
    ((evidence.password ?? evidence.company ?? evidence.passkey) !== undefined &&
      !isFrom(session, evidence)) ||
    (evidence['sms-code'] !== undefined && !session.methods.includes('sms')) ||
    (evidence['authenticator-code'] !== undefined && !session.methods.includes('otp'))
  );
}

function methodsOf(evidence: Proofs, current: SignedInSession | undefined): AuthenticationMethod[] {
  const methods = new Set<AuthenticationMethod>(current?.methods);
  if (evidence.password !== undefined) methods.add('pwd');
  if (evidence.company !== undefined) methods.add('fed');
  if (evidence['sms-code'] !== undefined) methods.add('sms');
  if (evidence['authenticator-code'] !== undefined) methods.add('otp');
  if (evidence.passkey?.keyProtection !== undefined) {
    methods.add(evidence.passkey.keyProtection);
    methods.add('user');
  }
  return [...methods];
}
