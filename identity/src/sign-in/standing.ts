import type { SignIn } from '../openid/sign-ins-store.ts';
import type { Person } from '../people/people-store.ts';
import type { Services } from '../services.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { findPlace } from '../sites/places-store.ts';
import type { Place } from '../sites/places-store.ts';
import type { Site } from '../sites/sites-store.ts';
import type { Standing } from './next-step.ts';

/** A sign-in of which only the password is proved goes on within this time, or begins again (attacks and faults, S25). */
const partialSignInSeconds = 10 * 60;

/** Reasons for which a session that is still good is enough: nobody asked for proof. */
const sessionReasons = new Set(['no_session', 'own_session']);

/** Whether the application wants the person to prove who they are, though a session may be good. */
export function isProofRequested({ promptMethod, reasons }: SignIn): boolean {
  if (promptMethod !== undefined) return promptMethod === 'elevate' || promptMethod === 'switch_tenant';
  return reasons.some((reason) => !sessionReasons.has(reason));
}

/** Whether it is a sign-in from the beginning, not a confirmation within a session. */
function isWholeSignIn(signIn: SignIn): boolean {
  return (
    signIn.promptMethod === 'switch_tenant' || (signIn.promptMethod === undefined && isProofRequested(signIn))
  );
}

/** Reasons with which the application says that it wants somebody else than who is signed in. */
const otherPersonReasons = new Set(['id_token_hint', 'claims_id_token_sub_value', 'another_region']);

/** Whether a valid session names the person of this sign-in: then nobody else may be entered. */
export function isSamePersonAsked({
  promptMethod,
  reasons,
}: Pick<SignIn, 'promptMethod' | 'reasons'>): boolean {
  return promptMethod !== 'switch_tenant' && !reasons.some((reason) => otherPersonReasons.has(reason));
}

/** The site that a sign-in is for: the one that was named or chosen in it, else the session's. */
export async function findPlaceOf(
  { database }: Pick<Services, 'database'>,
  signIn: SignIn,
  session: SignedInSession | undefined,
  personId: string | undefined,
): Promise<Place | undefined> {
  if (signIn.siteId !== undefined) return await findPlace(database, { id: signIn.siteId }, personId);
  return session?.authSite === undefined
    ? undefined
    : await findPlace(database, { name: session.authSite }, personId);
}

/** Whether something was proved recently enough to go on from. */
export function isFresh(provedAt: Date, now: Date): boolean {
  return now.getTime() - provedAt.getTime() <= partialSignInSeconds * 1000;
}

export type Facts = {
  signIn: SignIn;
  person: Person;
  /** The person's valid session in this browser. */
  session: SignedInSession | undefined;
  place: Place | undefined;
  /** The computer stands for the second factor. */
  isRemembered: boolean;
  /** This region's address. */
  ownUrl: string;
};

/** Where a person stands, out of what is known. */
export function toStanding(
  { signIn, person, session, place, isRemembered, ownUrl }: Facts,
  now: Date,
): Standing {
  const connectionId = findProvider(signIn, session);
  return {
    promptMethod: signIn.promptMethod,
    personIsActive: person.status === 'active',
    proved: isProved(signIn, session, now),
    site: place && {
      isMember: place.isMember,
      entitlementMet: place.entitlementMet,
      // a site without passwords leaves it to its provider
      secondFactorRequired: place.secondFactorRequired && place.allowPasswordEntry,
      allowsPasswords: place.allowPasswordEntry,
      trustsProvider: connectionId !== undefined && place.connectionId === connectionId,
      isElsewhere: isElsewhere(place, ownUrl),
    },
    secondFactor: {
      isSetUp: person.phoneNumber !== undefined,
      // no session begins without it, so within one it is not asked for again
      passed:
        isRemembered ||
        signIn.secondFactorAt !== undefined ||
        (session !== undefined && !isWholeSignIn(signIn) && isGoodFor(session, place)),
    },
    externallyAuthenticated: connectionId !== undefined,
    hasPassword: person.passwordHash !== undefined,
    mustChangePassword: person.mustChangePassword,
    passwordChanged: signIn.passwordChangedAt !== undefined,
    siteChosen: signIn.siteChosenAt !== undefined,
  };
}

/** Whether the site's home is another region (or a host that the settings do not know, which nobody is ever led to). */
export function isElsewhere({ identityServiceUrl }: Site, ownUrl: string): boolean {
  return identityServiceUrl !== undefined && identityServiceUrl !== ownUrl;
}

/**
 * A session that a remembered computer stands for is not enough for a site that does not go by those; and what a provider has asked
 * for is nothing to a password of ours.
 */
function isGoodFor({ methods, externallyAuthenticated }: SignedInSession, place: Place | undefined): boolean {
  if (externallyAuthenticated) return false;
  return place?.adaptiveSecondFactor !== false || methods.some((method) => method !== 'pwd');
}

/** A session that came from a provider and does not say which: no site trusts it. */
const unknownConnection = 'unknown';

/**
 * The connection whose provider proved the person: in this sign-in, or before it began the session that it goes on with.
 * Undefined when that was a password; the later one counts.
 */
export function findProvider(signIn: SignIn, session: SignedInSession | undefined): string | undefined {
  const { passwordAt, externalAt, connectionId } = signIn;
  if (session !== undefined && (findProvedAt(signIn) === undefined || isFrom(session, signIn)))
    return session.externallyAuthenticated ? (session.connectionId ?? unknownConnection) : undefined;
  const isExternal = externalAt !== undefined && (passwordAt === undefined || externalAt > passwordAt);
  return isExternal ? connectionId : undefined;
}

/** When the person was proved in this sign-in, by a password or a provider; the latest time. */
function findProvedAt({ passwordAt, externalAt }: SignIn): Date | undefined {
  if (passwordAt === undefined || externalAt === undefined) return passwordAt ?? externalAt;
  return passwordAt > externalAt ? passwordAt : externalAt;
}

function isProved(signIn: SignIn, session: SignedInSession | undefined, now: Date): boolean {
  const provedAt = findProvedAt(signIn);
  if (session !== undefined && (!isProofRequested(signIn) || isFrom(session, signIn))) return true;
  return provedAt !== undefined && isFresh(provedAt, now);
}

/** Whether the session began (or was renewed) with what was proved in this sign-in. */
export function isFrom(session: SignedInSession, signIn: SignIn): boolean {
  const provedAt = findProvedAt(signIn);
  return provedAt !== undefined && session.authenticatedAt.getTime() >= provedAt.getTime();
}
