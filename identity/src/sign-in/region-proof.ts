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

/** What the user has proved in another region, as stated in its hand-over token. */
export type RegionProof = {
  methods: AuthenticationMethod[];
  externallyAuthenticated: boolean;
  authenticatedAt: Date;
};

type Facts = { person: Person; site: SiteMembership; proof: RegionProof; arrival: Arrival };

/**
 * What this region still requires before it begins a session: the name of the first failed check, from the same table
 * as in any sign-in (`next-step.ts`). Undefined if the proof suffices.
 */
export async function findMissingProof(
  services: SignInServices,
  { person, site, proof, arrival }: Facts,
  exchange: Exchange,
): Promise<string | undefined> {
  // A user of an identity provider must sign in at it again: its connection belongs to one region.
  if (proof.externallyAuthenticated || proof.methods.includes('fed')) return 'provider';
  if (!hasPasskey(proof.methods) && !proof.methods.includes('pwd')) return 'password';
  // Either shown in the other region, or this region remembers the computer. A computer that only the other region
  // remembers does not count.
  const isShown = hasCountedFactor(proof.methods, site);
  const hasSecondFactor =
    isShown || (await isDeviceRemembered(services, { signIn: arrival, person, site, exchange }));
  if ((person.secondFactor !== undefined || site.asksForSecondFactor) && !hasSecondFactor)
    return 'second-factor';

  // A request without a prompt, and a proof of any age: the session here expires no later than the one there.
  const signIn = { promptMethod: undefined, reasons: [] };
  const facts = { signIn, person, site, session: undefined, evidence: {} };
  const about = {
    isRemembered: true,
    knowsApps: false,
    ownUrl: services.config.publicUrl,
    now: services.clock.now(),
  };
  const signInFacts = toSignInFacts(facts, about);
  // A factor that was shown in the other region is set up there, and counts here.
  const secondFactor = isShown
    ? { ...signInFacts.secondFactor, isSetUp: true, passed: true }
    : signInFacts.secondFactor;
  return findNextStep({ ...signInFacts, secondFactor, proved: true })?.name;
}
