import type { FactorUser, Knows } from '../factors/factors.ts';
import { ContractError } from '../http/errors.ts';
import { knowsExtension } from '../http/exchange.ts';
import type { Exchange } from '../http/exchange.ts';
import { findActiveUser } from '../users/users-store.ts';
import type { User } from '../users/users-store.ts';
import type { Services } from '../services.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { findEvidence, findSiteIdOf, methodsOf } from './proofs.ts';
import type { Account, Proof, ProofKind, Proofs } from './proofs.ts';
import { recordProofs } from './sign-ins-store.ts';
import type { SignIn } from './sign-ins-store.ts';
import { findOnlySite, findSiteMembership } from '../sites/site-memberships-store.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import { isHintedUser, isSameUserAsked } from '../provider/prompts.ts';

/**
 * A user's request within a sign-in, with all data that decides the next step. All of it belongs to the same user. The
 * data is loaded in this order: sign-in, user, session, evidence, site. `authenticate` reads the named site earlier.
 */
export type Visit = {
  signIn: SignIn;
  user: User;
  /** The user's valid session in this browser, if the account has not changed since it began. */
  session: SignedInSession | undefined;
  /** The valid session of another user in this browser. It ends when this user's session begins. */
  otherSession: SignedInSession | undefined;
  /** What the user has proved in this sign-in. */
  evidence: Proofs;
  /**
   * The site that the user entered or selected; otherwise the site of the session; otherwise the only site that the
   * user can enter.
   */
  site: SiteMembership | undefined;
  exchange: Exchange;
};

/** Loads the rest of a user's visit. Finds the site too, unless the caller passes `site`. */
export async function openVisit(
  { database }: Pick<Services, 'database'>,
  {
    signIn,
    user,
    exchange,
    ...known
  }: Pick<Visit, 'signIn' | 'user' | 'exchange'> & { site?: SiteMembership | undefined },
): Promise<Visit> {
  const { session, otherSession } = await findSessions(user, exchange);
  const evidence = findEvidence(signIn, user);
  const named = 'site' in known ? known.site : await findSite(database, { evidence, session, user });
  const factorUser = toFactorUser(user, methodsOf(evidence, session), exchange);
  const site = named ?? (await findOnlySite(database, user.id, factorUser));
  return { signIn, user, session, otherSession, evidence, site, exchange };
}

/** The visit of the sign-in's user. Undefined if no user is known yet, or the user is disabled. */
export async function findVisit(
  services: Pick<Services, 'database'>,
  signIn: SignIn,
  exchange: Exchange,
  userId = signIn.userId,
): Promise<Visit | undefined> {
  const user = userId === undefined ? undefined : await findActiveUser(services.database, userId);
  return user && (await openVisit(services, { signIn, user, exchange }));
}

/** The browser's valid session: the user's own, if the account has not changed since it began, or another user's. */
export async function findSessions(
  { id, securityVersion }: Account,
  exchange: Exchange,
): Promise<Pick<Visit, 'session' | 'otherSession'>> {
  const found = await exchange.findSession();
  const session = found.state === 'valid' ? found.session : undefined;
  if (session !== undefined && session.userId !== id) return { session: undefined, otherSession: session };
  return {
    session: session?.securityVersion === securityVersion ? session : undefined,
    otherSession: undefined,
  };
}

async function findSite(
  database: Services['database'],
  { evidence, session, user }: Pick<Visit, 'evidence' | 'session' | 'user'>,
): Promise<SiteMembership | undefined> {
  const id = findSiteIdOf(evidence);
  if (id !== undefined) return await findSiteMembership(database, { id }, user.id);
  return session?.authSite === undefined
    ? undefined
    : await findSiteMembership(database, { name: session.authSite }, user.id);
}

/**
 * Records a proof of the visit's user, and returns the visit with it.
 * @throws `unauthorized` if the account has changed since the visit began, or if another user took over the sign-in
 */
export async function prove<Known extends Pick<Visit, 'signIn' | 'user' | 'exchange'>>(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  visit: Known,
  kind: ProofKind,
  about: Pick<Proof, 'siteId' | 'connectionId' | 'keyProtection' | 'isOfAnotherDevice'> = {},
): Promise<Known & { evidence: Proofs }> {
  const { signIn, user } = visit;
  const at = clock.now();
  const proved = { [kind]: { at, ...about } };
  const recorded = await recordProofs(database, { signIn, account: user, proved, at });
  if (recorded === undefined) throw accountChanged();
  return { ...visit, signIn: recorded, evidence: findEvidence(recorded, user) };
}

export function accountChanged(): ContractError {
  return new ContractError('unauthorized', {
    detail: 'the account or the session changed during the call',
  });
}

/** The extensions of the page of the visit. */
export const knowsOf =
  ({ exchange }: Pick<Visit, 'exchange'>): Knows =>
  (extension) =>
    knowsExtension(exchange, extension);

/** What decides which sites the user can enter from this page. */
export function toFactorUser(
  owner: FactorUser['owner'],
  methods: FactorUser['methods'],
  exchange: Exchange,
): FactorUser {
  return { owner, methods, knows: knowsOf({ exchange }) };
}

/**
 * The signed-in user, with the second factors of the session and the page.
 * @throws `unauthorized`, also for a disabled user
 */
export async function requireUser(
  { database }: Pick<Services, 'database'>,
  exchange: Exchange,
): Promise<{ user: User; factorUser: FactorUser }> {
  const session = await exchange.requireSignedIn();
  const user = await findActiveUser(database, session.userId);
  if (user === undefined) throw accountChanged();
  return { user, factorUser: toFactorUser(user, session.methods, exchange) };
}

/**
 * The session that the sign-in continues. Undefined if the application expects another user, according to the request
 * or its `login_hint`. A user who has authenticated in this sign-in in spite of the hint counts as the expected user.
 */
export async function findContinuedSession(
  { database }: Pick<Services, 'database'>,
  signIn: SignIn,
  exchange: Exchange,
): Promise<SignedInSession | undefined> {
  const found = await exchange.findSession();
  if (found.state !== 'valid' || !isSameUserAsked(signIn)) return undefined;
  const { userId } = found.session;
  const isExpected = signIn.userId === userId || (await isHintedUser(database, signIn.parameters, userId));
  return isExpected ? found.session : undefined;
}
