import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { extendSignIn } from '../openid/extend-sign-in.ts';
import { parseReturnUrl } from '../openid/return-url.ts';
import { findActivePerson } from '../users/users-store.ts';
import type { Person } from '../users/users-store.ts';
import type { Services } from '../services.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { findEvidence, findSiteIdOf } from '../sign-ins/proofs.ts';
import type { Proof, ProofKind, Proofs } from '../sign-ins/proofs.ts';
import { findSignIn, recordProofs } from '../sign-ins/sign-ins-store.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';
import { findOnlySite, findSiteMembership } from '../sites/site-memberships-store.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import { findSignInOfRegion } from './region-sign-in.ts';

type Needed = Pick<Services, 'config' | 'database' | 'clock' | 'keys' | 'regions'>;

/**
 * One call of a person within a sign-in, with everything that it is decided on. It is read in one order: sign-in, person, session,
 * evidence, site; and all of it is about the same person.
 */
export type Visit = {
  signIn: SignIn;
  person: Person;
  /** The person's own valid session in this browser, in the present state of the account. */
  session: SignedInSession | undefined;
  /** What this person has proved in this sign-in. */
  evidence: Proofs;
  /** The site that the sign-in is for: named or chosen in it by this person, else the session's, else the only one they may enter. */
  site: SiteMembership | undefined;
  exchange: Exchange;
};

/**
 * The sign-in that a return address names, in the browser that started it; or the one that it names at another region, whose page calls.
 * @throws `not_found` for any other address, another browser, or a sign-in that is over: none can be told from the others.
 */
export async function requireSignIn(
  services: Needed,
  returnUrl: string | undefined,
  exchange: Exchange,
): Promise<SignIn> {
  const signIn = await findActiveSignIn(services, returnUrl, exchange);
  if (signIn === undefined) throw noSuchSignIn();
  return signIn;
}

export function noSuchSignIn(): ContractError {
  return new ContractError('not_found', { detail: 'no such sign-in in this browser' });
}

/** The same; undefined where there is none. The visitor is active, so the sign-in gets its whole time again. */
export async function findActiveSignIn(
  services: Needed,
  returnUrl: string | undefined,
  exchange: Exchange,
): Promise<SignIn | undefined> {
  const signIn = await findSignInNamed(services, returnUrl, exchange);
  if (signIn !== undefined) await extendSignIn(services, signIn);
  return signIn;
}

/** The same, and its time goes on. */
export async function findSignInNamed(
  services: Needed,
  returnUrl: string | undefined,
  exchange: Exchange,
): Promise<SignIn | undefined> {
  const { config, database, clock } = services;
  const uid = parseReturnUrl(returnUrl, config.publicUrl)?.uid;
  const browserId = await exchange.findBrowserId();
  const own =
    uid === undefined || browserId === undefined
      ? undefined
      : await findSignIn(database, uid, browserId, clock.now());
  return own ?? (await findSignInOfRegion(services, returnUrl, exchange));
}

/** The rest of a visit, once it is known whose it is. `site` is read where the caller has not read it. */
export async function openVisit(
  { database }: Pick<Services, 'database'>,
  {
    signIn,
    person,
    exchange,
    ...known
  }: Pick<Visit, 'signIn' | 'person' | 'exchange'> & { site?: SiteMembership | undefined },
): Promise<Visit> {
  const session = await findSessionOf(person, exchange);
  const evidence = findEvidence(signIn, person);
  const named = 'site' in known ? known.site : await findSite(database, { evidence, session, person });
  const site = named ?? (await findOnlySite(database, person));
  return { signIn, person, session, evidence, site, exchange };
}

/** The visit of the person that the sign-in is for. Undefined when that is nobody yet, or a disabled person. */
export async function findVisit(
  services: Pick<Services, 'database'>,
  signIn: SignIn,
  exchange: Exchange,
  personId = signIn.personId,
): Promise<Visit | undefined> {
  const person = personId === undefined ? undefined : await findActivePerson(services.database, personId);
  return person && (await openVisit(services, { signIn, person, exchange }));
}

/** The person's valid session in this browser. */
async function findSessionOf(
  { id, securityVersion }: Person,
  exchange: Exchange,
): Promise<SignedInSession | undefined> {
  const found = await exchange.findSession();
  return found.state === 'valid' &&
    found.session.personId === id &&
    found.session.securityVersion === securityVersion
    ? found.session
    : undefined;
}

async function findSite(
  database: Services['database'],
  { evidence, session, person }: Pick<Visit, 'evidence' | 'session' | 'person'>,
): Promise<SiteMembership | undefined> {
  const id = findSiteIdOf(evidence);
  if (id !== undefined) return await findSiteMembership(database, { id }, person.id);
  return session?.authSite === undefined
    ? undefined
    : await findSiteMembership(database, { name: session.authSite }, person.id);
}

/**
 * Records what the visit's person has proved just now, and continues with it.
 * @throws `unauthorized` when the account has changed since the visit began, or when another person came into the sign-in
 */
export async function prove<Known extends Pick<Visit, 'signIn' | 'person' | 'exchange'>>(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  visit: Known,
  kind: ProofKind,
  about: Pick<Proof, 'siteId' | 'connectionId' | 'keyProtection'> = {},
): Promise<Known & { evidence: Proofs }> {
  const { signIn, person } = visit;
  const at = clock.now();
  const recorded = await recordProofs(database, signIn, person, { [kind]: { at, ...about } }, at);
  if (recorded === undefined) throw accountChanged();
  return { ...visit, signIn: recorded, evidence: findEvidence(recorded, person) };
}

export function accountChanged(): ContractError {
  return new ContractError('unauthorized', {
    detail: 'the account or the session changed while the call was being answered',
  });
}

/** Who is signed in here. @throws `unauthorized`, also for a person who has been disabled. */
export async function requirePerson(
  { database }: Pick<Services, 'database'>,
  exchange: Exchange,
): Promise<Person> {
  const session = await exchange.requireSignedIn();
  const person = await findActivePerson(database, session.personId);
  if (person === undefined) throw accountChanged();
  return person;
}
