import { isProofRequested, isWholeSignIn } from '../openid/prompts.ts';
import type { SignedInSession } from '../sessions/session.ts';
import type { Proofs } from '../sign-ins/proofs.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import type { Site } from '../sites/sites-store.ts';
import { countsAt, findAskedFactor, listCodeFactors } from '../sites/second-factors.ts';
import type { SignInFacts } from './next-step.ts';
import type { Visit } from './visit.ts';
import { hasCountedFactor } from './shown-factors.ts';

/** How long a proof is valid in a sign-in that has no session yet (attacks and faults, S25). */
const partialSignInSeconds = 10 * 60;

export function isFresh(provedAt: Date, now: Date): boolean {
  return now.getTime() - provedAt.getTime() <= partialSignInSeconds * 1000;
}

type Facts = Pick<Visit, 'person' | 'session' | 'evidence' | 'site'> & {
  signIn: Pick<Visit['signIn'], 'promptMethod' | 'reasons'>;
};

/**
 * Gathers the facts of a visit. `isRemembered`: this computer replaces the second factor; `knowsApps`: the page supports
 * authenticator apps; `ownUrl`: the URL of this region.
 */
export function toSignInFacts(
  { signIn, person, session, evidence, site }: Facts,
  {
    isRemembered,
    knowsApps,
    ownUrl,
    now,
  }: { isRemembered: boolean; knowsApps: boolean; ownUrl: string; now: Date },
): SignInFacts {
  const connectionId = findProvider(evidence, session);
  const factors = listCodeFactors(person, site);
  const hasCode = factors.some((factor) => {
    const proof = evidence[factor === 'totp' ? 'authenticator-code' : 'sms-code'];
    return proof !== undefined && isFresh(proof.at, now);
  });
  const isContinued = session !== undefined && !isWholeSignIn(signIn);
  // The factor was used in this sign-in, or for the session that continues, which may have begun in another region.
  const isShown =
    (evidence.passkey !== undefined && isFresh(evidence.passkey.at, now) && countsAt(site, 'passkey')) ||
    (isContinued && !session.externallyAuthenticated && hasCountedFactor(session.methods, site));
  return {
    promptMethod: signIn.promptMethod,
    personIsActive: person.status === 'active',
    proved: isProved({ signIn, evidence, session }, now),
    site: site && {
      isMember: site.isMember,
      entitlementMet: site.entitlementMet,
      asksForSecondFactor: site.asksForSecondFactor,
      allowsPasswords: site.allowPasswordEntry,
      trustsProvider: connectionId !== undefined && site.connectionId === connectionId,
      isElsewhere: isElsewhere(site, ownUrl),
    },
    secondFactor: {
      isSetUp: factors.length > 0 || isShown,
      isAskable: factors.length === 0 || findAskedFactor(factors, knowsApps) !== undefined,
      // A session alone is not sufficient, because it may be stolen. A user whose factor this site does not accept adds
      // another one on the account page, which asks for the existing factor.
      mayBeSetUp:
        knowsApps &&
        person.secondFactor === undefined &&
        countsAt(site, 'totp') &&
        evidence.password !== undefined &&
        isFresh(evidence.password.at, now) &&
        site?.allowsAuthenticatorApps === true &&
        !isElsewhere(site, ownUrl),
      // A session that required the second factor to begin does not require it again when it continues.
      passed: isRemembered || isShown || hasCode || (isContinued && isGoodFor(session, site)),
    },
    externallyAuthenticated: connectionId !== undefined,
    hasPassword: person.passwordHash !== undefined,
    mustChangePassword: person.mustChangePassword && person.passwordHash !== undefined,
    passwordChanged: evidence['password-change'] !== undefined,
    siteChosen: evidence['site-choice'] !== undefined,
  };
}

/**
 * Whether the site's home is not this region. The home URL may also be missing from the settings; browsers are never
 * redirected there.
 */
export function isElsewhere({ identityServiceUrl }: Site, ownUrl: string): boolean {
  return identityServiceUrl !== undefined && identityServiceUrl !== ownUrl;
}

/**
 * Whether the site accepts the session instead of a second factor. A site that does not accept remembered computers
 * does not accept their sessions either; a session of an identity provider is never accepted.
 */
function isGoodFor(
  { methods, externallyAuthenticated }: SignedInSession,
  site: SiteMembership | undefined,
): boolean {
  if (externallyAuthenticated) return false;
  return site?.adaptiveSecondFactor !== false || hasCountedFactor(methods, site);
}

/** The connection of a session whose provider was not recorded. No site trusts it. */
export const unknownConnection = 'unknown';

/**
 * The connection whose provider authenticated the user, in this sign-in or for the session, whichever is later.
 * Undefined if the later proof is a password or a passkey.
 */
export function findProvider(evidence: Proofs, session: SignedInSession | undefined): string | undefined {
  const latest = findLatestProof(evidence);
  if (session !== undefined && (latest === undefined || isFrom(session, evidence)))
    return session.externallyAuthenticated ? (session.connectionId ?? unknownConnection) : undefined;
  return latest?.connectionId;
}

/** The latest first-factor proof: a password, a passkey, or a provider's response. */
function findLatestProof({ password, company, passkey }: Proofs) {
  return [password, company, passkey]
    .filter((proof) => proof !== undefined)
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())[0];
}

function isProved(
  { signIn, evidence, session }: Pick<Facts, 'signIn' | 'evidence' | 'session'>,
  now: Date,
): boolean {
  if (session !== undefined && (!isProofRequested(signIn) || isFrom(session, evidence))) return true;
  const latest = findLatestProof(evidence);
  return latest !== undefined && isFresh(latest.at, now);
}

/** Whether the session began, or was renewed, with the proofs of this sign-in. */
export function isFrom(session: SignedInSession, evidence: Proofs): boolean {
  const latest = findLatestProof(evidence);
  return latest !== undefined && session.authenticatedAt.getTime() >= latest.at.getTime();
}
