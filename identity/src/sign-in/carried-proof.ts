import type { Person } from '../users/users-store.ts';
import type { Arrival } from '../regions/arrivals-store.ts';
import type { Exchange } from '../http/exchange.ts';
import { hasPasskey } from '../sessions/assurance.ts';
import type { AuthenticationMethod } from '../sessions/session.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import { isRememberedHere } from './advance.ts';
import { findNextStep } from './next-step.ts';
import { hasCountedFactor, toSignInFacts } from './sign-in-facts.ts';
import type { SignInServices } from './sign-in-services.ts';

/** What was proved in another region, as its signed word says. */
export type CarriedProof = {
  methods: AuthenticationMethod[];
  externallyAuthenticated: boolean;
  authenticatedAt: Date;
};

type Facts = { person: Person; site: SiteMembership; proof: CarriedProof; arrival: Arrival };

/**
 * What this region still asks for before its session may begin: the name of the first check that does not hold, of the same table
 * as in any sign-in. Undefined when what was proved is enough.
 */
export async function findMissingProof(
  services: SignInServices,
  { person, site, proof, arrival }: Facts,
  exchange: Exchange,
): Promise<string | undefined> {
  // whom a provider vouched for there, it vouches for here: its connection is this region's own, or there is none
  if (proof.externallyAuthenticated || proof.methods.includes('fed')) return 'provider';
  const isByPasskey = hasPasskey(proof.methods);
  if (!isByPasskey && !proof.methods.includes('pwd')) return 'password';
  // shown there, or this computer is remembered here: that another region remembers it counts for nothing
  const hasSecondFactor =
    hasCountedFactor(proof.methods, site) ||
    (await isRememberedHere(services, { signIn: arrival, person, site, exchange }));
  if ((person.secondFactor !== undefined || site.asksForSecondFactor) && !hasSecondFactor)
    return 'second-factor';

  // an application that asks for nothing special, and what is proved as above, however long ago: the session here lasts no longer than there
  const signIn = { promptMethod: undefined, reasons: [] };
  const facts = { signIn, person, site, session: undefined, evidence: {} };
  const about = {
    isRemembered: true,
    knowsApps: false,
    ownUrl: services.config.publicUrl,
    now: services.clock.now(),
  };
  const signInFacts = toSignInFacts(facts, about);
  // the passkey that was verified there is the second factor
  const secondFactor = isByPasskey
    ? { ...signInFacts.secondFactor, isSetUp: true, passed: true }
    : signInFacts.secondFactor;
  return findNextStep({ ...signInFacts, secondFactor, proved: true })?.name;
}
