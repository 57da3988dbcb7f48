import type { Person } from '../users/users-store.ts';
import type { Arrival } from '../regions/hand-overs-store.ts';
import type { Exchange } from '../http/exchange.ts';
import { hasPasskey } from '../sessions/assurance.ts';
import type { AuthenticationMethod } from '../sessions/session.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import { isDeviceRemembered } from './advance.ts';
import { findNextStep } from './next-step.ts';
import { toSignInFacts } from './sign-in-facts.ts';
import { hasCountedFactor } from './shown-factors.ts';
import type { SignInServices } from './sign-in-services.ts';

/** How the user authenticated in another region, according to the hand-over token. */
export type RegionProof = {
  methods: AuthenticationMethod[];
  externallyAuthenticated: boolean;
  authenticatedAt: Date;
};

type Facts = { person: Person; site: SiteMembership; proof: RegionProof; arrival: Arrival };

/**
 * Returns the name of the first check that fails in this region, from the table that all sign-ins use (`next-step.ts`).
 * Undefined if a session can begin.
 */
export async function findMissingProof(
  services: SignInServices,
  { person, site, proof, arrival }: Facts,
  exchange: Exchange,
): Promise<string | undefined> {
  // A user of an identity provider must sign in there again, because a connection belongs to one region.
  if (proof.externallyAuthenticated || proof.methods.includes('fed')) return 'provider';
  if (!hasPasskey(proof.methods) && !proof.methods.includes('pwd')) return 'password';
  // The second factor was used in the other region, or this region remembers the computer. A computer that only the
  // other region remembers does not count.
  const isShown = hasCountedFactor(proof.methods, site);
  const hasSecondFactor =
    isShown || (await isDeviceRemembered(services, { signIn: arrival, person, site, exchange }));
  if ((person.secondFactor !== undefined || site.asksForSecondFactor) && !hasSecondFactor)
    return 'second-factor';

  // Assumes no prompt and accepts a proof of any age, because this session expires no later than the session in the
  // other region.
  const signIn = { promptMethod: undefined, reasons: [] };
  const facts = { signIn, person, site, session: undefined, evidence: {} };
  const about = {
    isRemembered: true,
    knowsApps: false,
    ownUrl: services.config.publicUrl,
    now: services.clock.now(),
  };
  const signInFacts = toSignInFacts(facts, about);
  // A factor that was used in the other region counts here, although it is not set up here.
  const secondFactor = isShown
    ? { ...signInFacts.secondFactor, isSetUp: true, passed: true }
    : signInFacts.secondFactor;
  return findNextStep({ ...signInFacts, secondFactor, proved: true })?.name;
}
