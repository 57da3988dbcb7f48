import { calls } from '@anteroom/contract';
import type { CallAnswer } from '@anteroom/contract';
import { noteRefusal } from '../audit/note-refusal.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { buildReturnUrl } from '../openid/return-url.ts';
import type { SignIn } from '../openid/sign-ins-store.ts';
import type { Person } from '../people/people-store.ts';
import type { AuthenticationMethod, SignedInSession } from '../sessions/session.ts';
import type { Place } from '../sites/places-store.ts';
import type { Site } from '../sites/sites-store.ts';
import { beginHandOver } from './hand-over.ts';
import { findNextStep } from './next-step.ts';
import type { Check } from './next-step.ts';
import { describeSecondFactor, isAdaptive, toChallenge } from './second-step.ts';
import type { SignInServices } from './sign-in-services.ts';
import { findProvider, isElsewhere, isFrom, toStanding } from './standing.ts';

type AuthResponse = CallAnswer<'authenticate'>;

/**
 * Goes on with a sign-in after a step was passed: asks for what is missing, or finishes it.
 * `site` is the one that the sign-in is for (`findPlaceOf`).
 * Once everything that proves the person holds, the session begins with a new id (attacks and faults, S22).
 * @throws the contract error of a check that ends the attempt, such as `site_requires_mfa`.
 */
export async function advance(
  services: SignInServices,
  signIn: SignIn,
  person: Person,
  site: Place | undefined,
  exchange: Exchange,
): Promise<AuthResponse> {
  const step = await findStep(services, signIn, person, site, exchange);
  if (step?.stage === 'proof') return await askForProof(services, step, signIn, person, site, exchange);

  const current = await findSessionOf(person.id, exchange);
  const isOfAnotherRegion = site !== undefined && isElsewhere(site, services.config.publicUrl);
  const session = await holdSession(
    services,
    signIn,
    person,
    current,
    // a site that still asks for something is not entered: the next application would be let straight in
    // a session here is never for a site that is entered elsewhere, so no token of ours speaks for it
    step === undefined && !isOfAnotherRegion ? site : undefined,
    exchange,
  );
  if (step !== undefined) {
    return 'trip' in step.otherwise && site !== undefined
      ? { status: 'redirect', location: tripAddress(services, signIn, site) }
      : ask(step, exchange);
  }
  if (isOfAnotherRegion) return await beginHandOver(services, signIn, { person, session, site }, exchange);
  const location = await services.openid.finishSignIn(signIn, session);
  const facts = { personId: person.id, clientId: signIn.clientId, site: site?.name };
  services.audit.note(
    { event: 'sign-in.finish', result: 'success', ...facts, sessionHash: session.idHash },
    exchange,
  );
  return { status: 'redirect', location };
}

/** The first check of a sign-in that does not hold; undefined when it is complete. */
export async function findStep(
  services: SignInServices,
  signIn: SignIn,
  person: Person,
  site: Place | undefined,
  exchange: Exchange,
): Promise<Check | undefined> {
  const session = await findSessionOf(person.id, exchange);
  const isRemembered = await isRememberedHere(services, signIn, person, site, exchange);
  const ownUrl = services.config.publicUrl;
  const facts = { signIn, person, session, place: site, isRemembered, ownUrl };
  return findNextStep(toStanding(facts, services.clock.now()));
}

/** The person's valid session in this browser. */
export async function findSessionOf(
  personId: string,
  exchange: Exchange,
): Promise<SignedInSession | undefined> {
  const found = await exchange.findSession();
  return found.state === 'valid' && found.session.personId === personId ? found.session : undefined;
}

/** Whether the computer was remembered for this person, and the site and the application go by that. */
async function isRememberedHere(
  services: SignInServices,
  signIn: SignIn,
  person: Person,
  site: Site | undefined,
  exchange: Exchange,
): Promise<boolean> {
  const { devices, secondFactor } = services;
  return (
    person.phoneNumber !== undefined &&
    (await secondFactor.devices.isRemembered(devices.read(exchange), person.id)) &&
    (await isAdaptive(services, signIn, site))
  );
}

/** Asks for what still has to be proved; a code is sent on the way. */
async function askForProof(
  services: SignInServices,
  step: Check,
  signIn: SignIn,
  person: Person,
  site: Site | undefined,
  exchange: Exchange,
): Promise<AuthResponse> {
  const asked = ask(step, exchange);
  if (asked.status !== 'second_factor_required' || person.phoneNumber === undefined) return asked;
  const challenge = toChallenge(signIn, person.id, person.phoneNumber, exchange);
  const facts = { personId: person.id, clientId: signIn.clientId, site: site?.name };
  const noted = { event: 'second-factor.send', ...facts, details: { factor: 'sms' } } as const;
  const sending = await noteRefusal(services.audit, noted, exchange, () =>
    services.secondFactor.begin(challenge),
  );
  const outcome =
    sending === 'sent' ? { result: 'success' as const } : { result: 'failure' as const, reason: sending };
  services.audit.note({ ...noted, ...outcome }, exchange);
  return { ...asked, ...(await describeSecondFactor(services, signIn, person.phoneNumber, site)) };
}

function ask({ name, reason, otherwise }: Check, exchange: Exchange): AuthResponse {
  if ('error' in otherwise) throw new ContractError(otherwise.error, { detail: reason });
  if ('trip' in otherwise) throw new Error('A trip without a site');
  exchange.log.info({ check: name }, 'a sign-in needs more');
  return { status: otherwise.status };
}

/** The site's people sign in elsewhere: the browser goes there, and the sign-in goes on when it is back. */
function tripAddress({ config }: SignInServices, { uid, parameters }: SignIn, site: Site): string {
  const query = new URLSearchParams({ site: site.name, returnUrl: buildReturnUrl(uid, parameters) });
  return `${config.publicUrl}${calls.getExternalRedirect.path}?${query.toString()}`;
}

/** Begins or renews the session with what was proved, or notes the site in the one that stands. */
async function holdSession(
  { sessions, knownBrowsers, audit }: SignInServices,
  signIn: SignIn,
  person: Person,
  current: SignedInSession | undefined,
  site: Site | undefined,
  exchange: Exchange,
): Promise<SignedInSession> {
  if (current === undefined || hasProvedMore(signIn, current)) {
    knownBrowsers.note(exchange, person.id);
    const connectionId = findProvider(signIn, current);
    const isSameProof = current?.connectionId === connectionId;
    const methods = methodsOf(signIn, current);
    // a site that was entered with another proof is entered anew
    const authSite = site?.name ?? (isSameProof ? current?.authSite : undefined);
    const begun = await exchange.signIn({
      personId: person.id,
      authSite,
      methods,
      externallyAuthenticated: connectionId !== undefined,
      connectionId,
    });
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
  await sessions.setAuthSite(current.idHash, site.name);
  return { ...current, authSite: site.name };
}

/** For the audit log: what stood in for the code, where there was none. */
function secondFactorOf({ phoneNumber }: Person, methods: readonly AuthenticationMethod[]): string {
  if (methods.includes('sms')) return 'sms';
  if (methods.includes('fed')) return 'left to the provider';
  return phoneNumber === undefined ? 'none' : 'remembered device';
}

/** Whether something was proved in the sign-in that the session does not know of. */
function hasProvedMore(signIn: SignIn, session: SignedInSession): boolean {
  const { passwordAt, externalAt, secondFactorAt } = signIn;
  return (
    ((passwordAt ?? externalAt) !== undefined && !isFrom(session, signIn)) ||
    (secondFactorAt !== undefined && !session.methods.includes('sms'))
  );
}

function methodsOf(signIn: SignIn, current: SignedInSession | undefined): AuthenticationMethod[] {
  const methods = new Set<AuthenticationMethod>(current?.methods);
  if (signIn.passwordAt !== undefined) methods.add('pwd');
  if (signIn.externalAt !== undefined) methods.add('fed');
  if (signIn.secondFactorAt !== undefined) methods.add('sms');
  return [...methods];
}
