import type { Exchange } from '../http/exchange.ts';
import type { SignIn } from '../openid/sign-ins-store.ts';
import type { Person } from '../people/people-store.ts';
import type { Arrival } from '../regions/arrivals-store.ts';
import type { AuthenticationMethod, SignedInSession } from '../sessions/session.ts';
import type { Place } from '../sites/places-store.ts';
import { findNextStep } from './next-step.ts';
import { isAdaptive } from './second-step.ts';
import type { SignInServices } from './sign-in-services.ts';
import { toStanding } from './standing.ts';

/** What was proved in another region, as its signed word says. */
export type CarriedProof = {
  methods: AuthenticationMethod[];
  externallyAuthenticated: boolean;
  authenticatedAt: Date;
};

type Facts = { person: Person; place: Place; proof: CarriedProof; arrival: Arrival };

/**
 * What this region still asks for before its session may begin: the name of the first check that does not hold, of the same table
 * as in any sign-in. Undefined when what was proved is enough.
 */
export async function findMissingProof(
  services: SignInServices,
  { person, place, proof, arrival }: Facts,
  exchange: Exchange,
): Promise<string | undefined> {
  // whom a provider vouched for there, it vouches for here: its connection is this region's own, or there is none
  if (proof.externallyAuthenticated || proof.methods.includes('fed')) return 'provider';
  if (!proof.methods.includes('pwd')) return 'password';
  const needsSecondFactor = person.phoneNumber !== undefined || place.secondFactorRequired;
  if (needsSecondFactor && !(await hasSecondFactor(services, { person, place, proof, arrival }, exchange)))
    return 'second-factor';
  const facts = { signIn: plainSignIn(arrival), person, place, isRemembered: false };
  const session = asSession(person, proof, services.clock.now());
  const ownUrl = services.config.publicUrl;
  return findNextStep(toStanding({ ...facts, session, ownUrl }, services.clock.now()))?.name;
}

/** It was shown there and the word says so, or this computer is remembered here: that another region remembers it counts for nothing. */
async function hasSecondFactor(
  services: SignInServices,
  { person, place, proof, arrival }: Facts,
  exchange: Exchange,
): Promise<boolean> {
  if (proof.methods.some((method) => method === 'sms' || method === 'otp')) return true;
  const { devices, secondFactor } = services;
  return (
    person.phoneNumber !== undefined &&
    (await isAdaptive(services, arrival, place)) &&
    (await secondFactor.devices.isRemembered(devices.read(exchange), person.id))
  );
}

/** A sign-in in which an application asks for nothing special. */
function plainSignIn({ clientId, personId, siteId }: Arrival): SignIn {
  return {
    uid: '',
    browserId: '',
    clientId,
    personId,
    siteId,
    parameters: {},
    externalAt: undefined,
    connectionId: undefined,
    externalHint: undefined,
    reasons: ['no_session'],
    promptMethod: undefined,
    passwordAt: undefined,
    secondFactorAt: undefined,
    passwordChangedAt: undefined,
    siteChosenAt: undefined,
    finishedAt: undefined,
    expiresAt: new Date(0),
  };
}

/** The session as it would begin. */
function asSession({ id: personId }: Person, proof: CarriedProof, now: Date): SignedInSession {
  return {
    ...proof,
    idHash: '',
    browserId: '',
    personId,
    authSite: undefined,
    connectionId: undefined,
    createdAt: now,
    lastSeenAt: now,
    absoluteExpiresAt: now,
  };
}
