import type { Knows } from '../factors/factors.ts';
import type { FactorPolicy } from '../factors/factor.ts';
import {
  factors,
  findAddedDuringSignIn,
  hasCounted,
  hasOwnFactor,
  listAskable,
  listFactors,
  mayAdd,
  parseAccepted,
} from '../factors/factors.ts';
import { consoleClientId } from '../provider/management-clients.ts';
import { isProofRequested, isWholeSignIn } from '../provider/prompts.ts';
import { isSecondFactorRequested } from '../provider/requested-acr.ts';
import { findLatest, isFresh, listFresh } from '../sessions/assurance.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { methodsOf } from './proofs.ts';
import type { Proofs } from './proofs.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import type { Site } from '../sites/sites-store.ts';
import type { SignInFacts } from './next-step.ts';
import type { Visit } from './visit.ts';

type Facts = Pick<Visit, 'user' | 'session' | 'evidence' | 'site'> & {
  signIn: Pick<Visit['signIn'], 'promptMethod' | 'reasons' | 'parameters'>;
};

/** `demandingSites`: the sites of the user that require a second factor, for a sign-in to the console. */
type Surroundings = {
  isRemembered: boolean;
  knows: Knows;
  ownUrl: string;
  now: Date;
  demandingSites?: readonly FactorPolicy[] | undefined;
};

/** Whether the application is the console of this service. */
export const isOfConsole = ({ parameters }: Pick<Visit['signIn'], 'parameters'>): boolean =>
  parameters['client_id'] === consoleClientId;

/**
 * Gathers the facts of a visit. `isRemembered`: this computer replaces the second factor; `knows`: the extensions of the
 * page; `ownUrl`: the URL of this region.
 */
export function toSignInFacts(
  { signIn, user, session, evidence, site: chosenSite }: Facts,
  { isRemembered, knows, ownUrl, now, demandingSites = [] }: Surroundings,
): SignInFacts {
  const site = withFactorFor(signIn, user, chosenSite, demandingSites);
  const connectionId = findConnectionId(evidence, session);
  const own = listFactors(user, site);
  // A session that required the second factor to begin does not require it again when it continues, unless the
  // application asks for the second factor itself: then an old one does not count (attacks and faults, S25).
  const continued = session !== undefined && !isWholeSignIn(signIn) ? session : undefined;
  const isAskedItself = isSecondFactorRequested(signIn.parameters);
  const known = continued?.externallyAuthenticated === false ? continued : undefined;
  const shown = [
    ...listFresh(methodsOf(evidence, undefined), now),
    ...(known === undefined ? [] : isAskedItself ? listFresh(known.methods, now) : known.methods),
  ];
  const isShown = hasCounted(shown, site);
  return {
    promptMethod: signIn.promptMethod,
    userIsActive: user.status === 'active',
    proved: isProved({ signIn, evidence, session }, now),
    site: site && {
      isMember: site.isMember,
      entitlementMet: site.entitlementMet,
      asksForSecondFactor: site.asksForSecondFactor,
      allowsPasswords: site.allowPasswordEntry,
      trustsConnection: connectionId !== undefined && site.connectionId === connectionId,
      isElsewhere: isElsewhere(site, ownUrl),
    },
    secondFactor: {
      isSetUp: own.length > 0 || isShown,
      isAskable: own.length === 0 || listAskable(user, site, knows).length > 0,
      // A session alone is not sufficient, because it may be stolen. A user whose factor this site does not accept adds
      // another one on the account page, which asks for the existing factor.
      mayBeSetUp:
        findAddedDuringSignIn(user, site, knows) !== undefined &&
        evidence.password !== undefined &&
        isFresh(evidence.password.at, now) &&
        site !== undefined &&
        !isElsewhere(site, ownUrl),
      passed:
        isRemembered || isShown || (continued !== undefined && !isAskedItself && isGoodFor(continued, site)),
    },
    externallyAuthenticated: connectionId !== undefined,
    hasPassword: user.passwordHash !== undefined,
    mustChangePassword: user.mustChangePassword && user.passwordHash !== undefined,
    passwordChanged: evidence['password-change'] !== undefined,
    siteChosen: evidence['site-choice'] !== undefined,
  };
}

/**
 * Whoever opens the console needs a second factor. A user without one sets up an app, with the password alone only if no
 * site that relies on a factor forbids that.
 */
function withFactorFor(
  signIn: Facts['signIn'],
  user: Facts['user'],
  site: SiteMembership | undefined,
  demandingSites: readonly FactorPolicy[],
): SiteMembership | undefined {
  if (site === undefined || !isOfConsole(signIn) || hasOwnFactor(user)) return site;
  return {
    ...site,
    asksForSecondFactor: true,
    allowsAuthenticatorApps: mayAdd(factors.totp, {
      owner: user,
      hasProvedFactor: false,
      sites: demandingSites,
    }),
    secondFactors: parseAccepted(null),
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
const isGoodFor = ({ externallyAuthenticated }: SignedInSession, site: SiteMembership | undefined): boolean =>
  !externallyAuthenticated && site?.adaptiveSecondFactor !== false;

/** The connection of a session whose provider was not recorded. No site trusts it. */
export const unknownConnection = 'unknown';

/**
 * The connection whose provider authenticated the user, in this sign-in or for the session, whichever is later.
 * Undefined if the later proof is a password or a passkey.
 */
export function findConnectionId(evidence: Proofs, session: SignedInSession | undefined): string | undefined {
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
  const sessionLatest = findLatest(session.methods);
  return latest !== undefined && sessionLatest !== undefined && sessionLatest >= latest.at;
}
