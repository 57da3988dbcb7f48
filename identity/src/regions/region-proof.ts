import type { User } from '../users/users-store.ts';
import type { Arrival } from './hand-overs-store.ts';
import type { Exchange } from '../http/exchange.ts';
import { hasCounted, listFactors } from '../factors/factors.ts';
import { hasFirstFactor } from '../sessions/assurance.ts';
import type { ProvedMethod } from '../sessions/session.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import { isDeviceRemembered } from '../sign-in/second-factor-step.ts';
import { findNextStep } from '../sign-in/next-step.ts';
import { toSignInFacts } from '../sign-in/sign-in-facts.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';

/** How the user authenticated in another region, according to the hand-over token. */
export type RegionProof = {
  methods: readonly ProvedMethod[];
  externallyAuthenticated: boolean;
};

type Facts = { user: User; site: SiteMembership; proof: RegionProof; arrival: Arrival };

/**
 * Returns the name of the first check that fails in this region, from the table that all sign-ins use (`next-step.ts`).
 * Undefined if a session can begin.
 */
export async function findMissingProof(
  services: SignInServices,
  { user, site, proof, arrival }: Facts,
  exchange: Exchange,
): Promise<string | undefined> {
  // A user of an identity provider must sign in there again, because a connection belongs to one region.
  if (proof.externallyAuthenticated || proof.methods.some(({ method }) => method === 'fed'))
    return 'provider';
  if (!hasFirstFactor(proof.methods)) return 'password';
  // The second factor was used in the other region, or this region remembers the computer. A computer that only the
  // other region remembers does not count.
  const isShown = hasCounted(proof.methods, site);
  const hasSecondFactor =
    isShown || (await isDeviceRemembered(services, { signIn: arrival, user, site, exchange }));
  if ((listFactors(user, site).length > 0 || site.asksForSecondFactor) && !hasSecondFactor)
    return 'second-factor';

  // Assumes no prompt and accepts a proof of any age, because this session expires no later than the session in the
  // other region.
  const signIn = { promptMethod: undefined, reasons: [], parameters: {} };
  const facts = { signIn, user, site, session: undefined, evidence: {} };
  const about = {
    isRemembered: true,
    knows: () => false,
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
