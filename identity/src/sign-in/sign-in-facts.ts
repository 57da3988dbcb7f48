import { isProofRequested, isWholeSignIn } from '../openid/prompts.ts';
import { hasPasskey } from '../sessions/assurance.ts';
import type { AuthenticationMethod, SignedInSession } from '../sessions/session.ts';
import type { Proofs } from '../sign-ins/proofs.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import type { Site } from '../sites/sites-store.ts';
import type { SignInFacts } from './next-step.ts';
import { countsAt, findAskedFactor, listCodeFactors } from './second-factors.ts';
import type { Visit } from './visit.ts';

/** What was proved in a sign-in that has no session yet is good for this time (attacks and faults, S25). */
const partialSignInSeconds = 10 * 60;

/** Whether something was proved recently enough to go on from. */
export function isFresh(provedAt: Date, now: Date): boolean {
  return now.getTime() - provedAt.getTime() <= partialSignInSeconds * 1000;
}

type Facts = Pick<Visit, 'person' | 'session' | 'evidence' | 'site'> & {
  signIn: Pick<Visit['signIn'], 'promptMethod' | 'reasons'>;
};

/** What is true of a visit. `isRemembered`: this computer stands for the second factor; `knowsApps`: the page asks for authenticator apps; `ownUrl`: this region's address. */
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
  const byPasskey =
    (evidence.passkey !== undefined && isFresh(evidence.passkey.at, now)) ||
    (isContinued && hasPasskey(session.methods));
  const passkeyCounts = byPasskey && countsAt(site, 'passkey');
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
      isSetUp: factors.length > 0 || passkeyCounts,
      isAskable: factors.length === 0 || findAskedFactor(factors, knowsApps) !== undefined,
      // a session alone, which may be stolen, is not enough; and a user who has a factor that does not count here shows it on the account page
      mayBeSetUp:
        knowsApps &&
        person.secondFactor === undefined &&
        countsAt(site, 'totp') &&
        evidence.password !== undefined &&
        isFresh(evidence.password.at, now) &&
        site?.allowsAuthenticatorApps === true &&
        !isElsewhere(site, ownUrl),
      // no session begins without it, so within one it is not asked for again
      passed: isRemembered || passkeyCounts || hasCode || (isContinued && isGoodFor(session, site)),
    },
    externallyAuthenticated: connectionId !== undefined,
    hasPassword: person.passwordHash !== undefined,
    mustChangePassword: person.mustChangePassword && person.passwordHash !== undefined,
    passwordChanged: evidence['password-change'] !== undefined,
    siteChosen: evidence['site-choice'] !== undefined,
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
function isGoodFor(
  { methods, externallyAuthenticated }: SignedInSession,
  site: SiteMembership | undefined,
): boolean {
  if (externallyAuthenticated) return false;
  return site?.adaptiveSecondFactor !== false || hasCountedFactor(methods, site);
}

/** Whether a second factor that counts at the site is among what was proved. */
export function hasCountedFactor(methods: readonly AuthenticationMethod[], site: Site | undefined): boolean {
  return (
    (methods.includes('sms') && countsAt(site, 'sms')) ||
    (methods.includes('otp') && countsAt(site, 'totp')) ||
    (hasPasskey(methods) && countsAt(site, 'passkey'))
  );
}

/** A session that came from a provider and does not say which: no site trusts it. */
export const unknownConnection = 'unknown';

/**
 * The connection whose provider proved the person: in this sign-in, or before it began the session that it continues with.
 * Undefined when that was a password; the later one counts.
 */
export function findProvider(evidence: Proofs, session: SignedInSession | undefined): string | undefined {
  const latest = findLatestProof(evidence);
  if (session !== undefined && (latest === undefined || isFrom(session, evidence)))
    return session.externallyAuthenticated ? (session.connectionId ?? unknownConnection) : undefined;
  return latest?.connectionId;
}

/** The latest proof of who the person is: of a password or a passkey, or by a provider. */
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

/** Whether the session began (or was renewed) with what the same person has proved in this sign-in. */
export function isFrom(session: SignedInSession, evidence: Proofs): boolean {
  const latest = findLatestProof(evidence);
  return latest !== undefined && session.authenticatedAt.getTime() >= latest.at.getTime();
}
