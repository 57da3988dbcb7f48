import { calls } from '@anteroom/contract';
import type { CallAnswer } from '@anteroom/contract';
import { noteRefusal } from '../audit/audit.ts';
import { listAskable, listFactors, listShown } from '../factors/factors.ts';
import type { Knows } from '../factors/factors.ts';
import { ContractError } from '../http/errors.ts';
import { knowsExtension } from '../http/exchange.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Attempt } from '../limits/limits.ts';
import { isSecondFactorRequested } from '../provider/requested-acr.ts';
import { buildReturnUrl } from '../provider/return-url.ts';
import type { ProvedMethod, SignedInSession, WrittenWithSession } from '../sessions/session.ts';
import { canRecord, recordProofs, recordingProofs } from './sign-ins-store.ts';
import type { NewProofs, SignIn } from './sign-ins-store.ts';
import { listSitesRequiringFactor } from '../sites/site-memberships-store.ts';
import type { Site } from '../sites/sites-store.ts';
import { beginSession } from './begin-session.ts';
import type { WithSession } from './begin-session.ts';
import { beginHandOver } from '../regions/hand-over.ts';
import { findNextStep } from './next-step.ts';
import type { Check } from './next-step.ts';
import { findPasskeyOffer } from './passkey-offer.ts';
import { describeSecondFactor, isAdaptive, toChallenge } from './second-factor-step.ts';
import { findProvider, isElsewhere, isOfConsole, toSignInFacts, unknownConnection } from './sign-in-facts.ts';
import type { SignInServices } from './sign-in-services.ts';
import { accountChanged } from './visit.ts';
import { includesProofs, methodsOf } from './proofs.ts';
import type { Visit } from './visit.ts';

type AuthResponse = CallAnswer<'authenticate'>;

/** A proof that the visit already contains, but the database does not. */
export type UnrecordedProof = {
  proofs: NewProofs;
  /** Further parts of the statement that records the proof. */
  succeeding: Attempt['succeeding'];
  /** Called once the proof is recorded. */
  noteRecorded: () => Promise<void>;
  /** Throws the response if the proof could not be recorded, because something changed during the call. */
  refuse: () => Promise<never>;
};

/**
 * Continues a sign-in after a successful step: requests the next step, or finishes the sign-in. Once the user is fully
 * authenticated, begins a session with a new id (attacks and faults, S22). `withSession` runs in the transaction that
 * begins the session. `proof` is recorded in the statement that begins the session, or before the next step.
 * @throws the contract error of a check that ends the attempt, such as `site_requires_mfa`; `unauthorized` if the
 * account changed during the call
 */
export async function advance(
  services: SignInServices,
  visit: Visit,
  { withSession, proof }: { withSession?: WithSession; proof?: UnrecordedProof } = {},
): Promise<AuthResponse> {
  const { signIn, user, site, exchange } = visit;
  const step = await findStep(services, visit);
  const unrecorded = (await mayRecordWithSession(step, visit)) ? proof : undefined;
  if (proof !== undefined && unrecorded === undefined) await record(services, proof);
  if (step?.stage === 'before-session') return await requestProof(services, step, visit);

  const isOfAnotherRegion = site !== undefined && isElsewhere(site, services.config.publicUrl);
  // A site with a failed check is not stored in the session: the next application would skip that check. A site of
  // another region is not stored either: this region does not issue tokens for it.
  const entered = step === undefined && !isOfAnotherRegion ? site : undefined;
  const isFinished = step === undefined && !isOfAnotherRegion;
  const { session, location: finished } = includesEvidence(visit)
    ? { session: await enterSite(services, visit.session, entered) }
    : await beginProvedSession(services, visit, {
        site: entered,
        withSession,
        proof: unrecorded,
        isFinished,
      });
  if (step !== undefined) {
    return 'redirectTo' in step.otherwise && site !== undefined
      ? { status: 'redirect', location: externalRedirectAddress(services, signIn, site) }
      : toResponse(step, exchange);
  }
  if (isOfAnotherRegion) return await beginHandOver(services, signIn, { user, session, site }, exchange);
  const address = finished ?? (await services.openid.finishSignIn.finish(signIn, session));
  const location = (await findPasskeyOffer(services, { ...visit, session })) ?? address;
  await services.rememberedAccounts.noteSignIn(visit);
  const facts = { userId: user.id, clientId: signIn.clientId, site: site?.name };
  services.audit.note(
    { event: 'sign-in.finish', result: 'success', ...facts, sessionHash: session.idHash },
    exchange,
  );
  return { status: 'redirect', location };
}

/**
 * Whether the visit begins a session whose statement can record a proof. It cannot while another user is signed in:
 * ending that user's session deletes that user's sign-ins, and this may be one of them until the proof is recorded.
 */
async function mayRecordWithSession(step: Check | undefined, visit: Visit): Promise<boolean> {
  const found = await visit.exchange.findSession();
  const isAnothers = found.state === 'valid' && found.session.userId !== visit.user.id;
  return step?.stage !== 'before-session' && !includesEvidence(visit) && !isAnothers;
}

/** Whether the current session includes everything that the user has proved in this sign-in. */
const includesEvidence = (visit: Visit): visit is Visit & { session: SignedInSession } =>
  visit.session !== undefined && includesProofs(visit.session, visit.evidence);

async function record(
  { database }: SignInServices,
  { proofs, succeeding, noteRecorded, refuse }: UnrecordedProof,
): Promise<void> {
  const recorded = await recordProofs(database, proofs, succeeding);
  if (recorded === undefined) await refuse();
  await noteRecorded();
}

/** The first check that the sign-in fails; undefined if the sign-in is complete. */
export async function findStep(
  services: SignInServices,
  visit: Visit,
  knows: Knows = knowsOf(visit),
): Promise<Check | undefined> {
  const { signIn, user } = visit;
  return findNextStep(
    toSignInFacts(visit, {
      isRemembered: await isDeviceRemembered(services, visit),
      knows,
      ownUrl: services.config.publicUrl,
      now: services.clock.now(),
      demandingSites: isOfConsole(signIn)
        ? await listSitesRequiringFactor(services.database, user.id)
        : undefined,
    }),
  );
}

/** The extensions of the page of the visit. */
export const knowsOf =
  ({ exchange }: Pick<Visit, 'exchange'>): Knows =>
  (extension) =>
    knowsExtension(exchange, extension);

/**
 * Whether this computer is remembered for the user, and both the site and the application accept that instead of a
 * code. A request for an `acr` always requires a new code.
 */
export async function isDeviceRemembered(
  services: SignInServices,
  {
    signIn,
    user,
    site,
    exchange,
  }: Pick<Visit, 'user' | 'site' | 'exchange'> & {
    signIn: Pick<SignIn, 'clientId'> & Partial<Pick<SignIn, 'parameters'>>;
  },
): Promise<boolean> {
  const { devices, factors } = services;
  return (
    !isSecondFactorRequested(signIn.parameters ?? {}) &&
    listFactors(user, site).length > 0 &&
    (await factors.devices.isRemembered(devices.read(exchange), user.id)) &&
    (await isAdaptive(services, signIn, site))
  );
}

/** Requests the missing proof. Sends the message if the user must enter a code from one. */
async function requestProof(services: SignInServices, step: Check, visit: Visit): Promise<AuthResponse> {
  const { signIn, user, site, exchange } = visit;
  const response = toResponse(step, exchange);
  if (response.status !== 'second_factor_required') return response;
  const asked = listAskable(user, site, knowsOf(visit));
  const challenge = await toChallenge(services, visit);
  const facts = { userId: user.id, clientId: signIn.clientId, site: site?.name };
  const noted = { event: 'second-factor.send', ...facts, details: { factor: asked[0]?.name } } as const;
  const sending = await noteRefusal(services.audit, noted, exchange, () =>
    services.factors.begin(asked, challenge),
  );
  if (sending !== undefined) {
    const outcome =
      sending === 'sent' ? { result: 'success' as const } : { result: 'failure' as const, reason: sending };
    services.audit.note({ ...noted, ...outcome }, exchange);
  }
  return { ...response, ...(await describeSecondFactor(services, visit, asked, knowsOf(visit))) };
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

/** The current session, at the site that the user enters now. */
async function enterSite(
  { sessions }: SignInServices,
  session: SignedInSession,
  site: Site | undefined,
): Promise<SignedInSession> {
  if (site === undefined || session.authSite === site.name) return session;
  if (!(await sessions.setAuthSite(session.idHash, site.name))) throw accountChanged();
  return { ...session, authSite: site.name };
}

/**
 * Begins a session with what the user has proved. `location`: the redirect target, if the sign-in was finished in the
 * same statement.
 * @throws `not_found` if the sign-in has expired
 */
async function beginProvedSession(
  services: SignInServices,
  visit: Visit,
  {
    site,
    withSession,
    proof,
    isFinished,
  }: {
    site: Site | undefined;
    withSession: WithSession | undefined;
    proof: UnrecordedProof | undefined;
    isFinished: boolean;
  },
): Promise<{ session: SignedInSession; location?: string | undefined }> {
  const { knownBrowsers, audit, openid } = services;
  const { signIn, user, session: current, evidence, exchange } = visit;
  const connectionId = findProvider(evidence, current);
  const isSameProof = current?.connectionId === connectionId;
  const methods = methodsOf(evidence, current);
  // The session keeps its site only if the same connection (or the password) authenticated the user.
  const authSite = site?.name ?? (isSameProof ? current?.authSite : undefined);
  const { id: userId, securityVersion } = user;
  const finishing = isFinished
    ? openid.finishSignIn.alongside(signIn, { userId, securityVersion, methods }, proof?.proofs)
    : undefined;
  const { session, isWritten } = await beginSession(
    services,
    {
      account: user,
      authSite,
      methods,
      externallyAuthenticated: connectionId !== undefined,
      connectionId: connectionId === unknownConnection ? undefined : connectionId,
    },
    exchange,
    { withSession, alongside: withProof(services, finishing, proof), refuse: proof?.refuse },
  );
  await proof?.noteRecorded();
  knownBrowsers.note(exchange, userId);
  const facts = { userId, clientId: signIn.clientId, site: authSite };
  const details = {
    methods: methods.map(({ method }) => method).join(' '),
    secondFactor: secondFactorOf(visit, methods),
    replaced: current?.idHash,
  };
  audit.note(
    { event: 'session.begin', result: 'success', ...facts, sessionHash: session.idHash, details },
    exchange,
  );
  return { session, location: finishing && openid.finishSignIn.requireLocation(signIn, isWritten) };
}

/** Adds what records the proof to what else is written with the session; `finishing` itself records it if given. */
function withProof(
  { database }: SignInServices,
  finishing: WrittenWithSession | undefined,
  proof: UnrecordedProof | undefined,
): WrittenWithSession | undefined {
  if (proof === undefined) return finishing;
  const recording: WrittenWithSession = {
    parts: (isBegun) => ({ recorded: recordingProofs(database, proof.proofs, isBegun) }),
    last: 'recorded',
  };
  return { ...(finishing ?? recording), when: canRecord(proof.proofs), changes: proof.succeeding };
}

/** For the audit log: the second factor that the user has used, or the reason why none was needed. */
function secondFactorOf(
  { user, site }: Pick<Visit, 'user' | 'site'>,
  methods: readonly ProvedMethod[],
): string {
  const [shown] = listShown(methods);
  if (shown !== undefined) return shown.name;
  if (methods.some(({ method }) => method === 'fed')) return 'left to the provider';
  return listFactors(user, site).length === 0 ? 'none' : 'remembered device';
}
