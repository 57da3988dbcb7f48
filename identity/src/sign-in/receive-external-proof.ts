import type { Connection, ExternalProof } from '../enterprise/connection.ts';
import { findConnection } from '../enterprise/connections-store.ts';
import { ExternalFailure } from '../enterprise/external-provider.ts';
import type { ExternalRequest } from '../enterprise/external-requests.ts';
import { keepExternalSession } from '../enterprise/external-sessions.ts';
import { findPersonOf } from '../enterprise/find-person.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { isSamePersonAsked } from '../openid/prompts.ts';
import { buildReturnUrl } from '../openid/return-url.ts';
import { findSignIn } from '../sign-ins/sign-ins-store.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';
import { findActivePerson } from '../users/users-store.ts';
import type { Person } from '../users/users-store.ts';
import { findSiteMembership } from '../sites/site-memberships-store.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import { advance } from './advance.ts';
import { fail, failForNobody } from './external-failures.ts';
import type { FailedTrip } from './external-failures.ts';
import { isFreshProofAsked } from './external-redirect.ts';
import type { SignInServices } from './sign-in-services.ts';
import { openVisit, prove } from './visit.ts';

/** What came back from a trip: it was taken, so nobody else has it. */
export type Arrival = {
  request: ExternalRequest;
  /** Asks the provider, or reads what was kept. @throws ExternalFailure */
  prove: (connection: Connection) => Promise<ExternalProof>;
};

/**
 * Where the browser goes that has come back from a provider: on with its sign-in, or to the page that says why not. Named steps, top to
 * bottom; each that refuses notes its reason for operators alone.
 */
export async function receiveExternalProof(
  services: SignInServices,
  { request, prove }: Arrival,
  exchange: Exchange,
): Promise<string> {
  const { database, clock, keys } = services;
  const signIn = await findSignIn(database, request.uid, request.browserId, clock.now());
  const connection = await findConnection(database, keys, request.connectionId);
  const trip: Trip = { signIn, connection };
  const refuse = (event: FailedTrip['event'], reason: string, more: Partial<FailedTrip> = {}) =>
    fail(services, { ...trip, event, reason, ...more }, exchange);

  if (signIn === undefined || signIn.finishedAt !== undefined)
    return await refuse('external.prove', 'the sign-in is over');
  if (connection === undefined)
    return await refuse('external.prove', 'the connection was disabled meanwhile');
  if (isFreshProofAsked(signIn) && !request.forceAuthentication)
    return await refuse('external.prove', 'the trip asked for less than the application');

  const proof = await prove(connection).catch(toFailure);
  if (proof instanceof ExternalFailure) {
    exchange.log.warn({ err: proof, connection: connection.name }, 'a provider’s answer was refused');
    return await refuse('external.prove', proof.reason);
  }
  const found = await findPersonOf(services, connection, proof);
  if ('nobody' in found) return await failForNobody(services, trip, found, proof, exchange);
  const { personId } = found;
  const person = await findActivePerson(database, personId);
  if (person === undefined) return await refuse('external.prove', 'disabled person', { personId });
  if (await isAnotherPerson(signIn, person, exchange))
    return await refuse('external.prove', 'another person than the one who is signed in', { personId });
  const place =
    request.siteId === undefined
      ? undefined
      : await findSiteMembership(database, { id: request.siteId }, personId);
  if (request.siteId !== undefined && place?.isMember !== true)
    return await refuse('external.prove', 'not a member of the site', { personId, site: place?.name });

  noteArrival(services, { signIn, connection, person, place, by: found.by }, exchange);
  return await goOn(services, { signIn, connection, person, place, proof }, exchange);
}

function toFailure(error: unknown): ExternalFailure {
  if (error instanceof ExternalFailure) return error;
  throw error;
}

type Trip = { signIn: SignIn | undefined; connection: Connection | undefined };
type Proved = { signIn: SignIn; connection: Connection; person: Person; place: SiteMembership | undefined };

/** Within a session nobody else can be entered, unless the application wants somebody else. */
async function isAnotherPerson(signIn: SignIn, person: Person, exchange: Exchange): Promise<boolean> {
  const found = await exchange.findSession();
  return found.state === 'valid' && isSamePersonAsked(signIn) && found.session.personId !== person.id;
}

function noteArrival(
  { audit, metrics }: SignInServices,
  { signIn, connection, person, place, by }: Proved & { by: string },
  exchange: Exchange,
): void {
  metrics.countSignInStep('external', 'proved');
  const facts = {
    personId: person.id,
    clientId: signIn.clientId,
    connection: connection.name,
    site: place?.name,
  };
  if (by !== 'identity')
    audit.note({ event: 'external.link', result: 'success', ...facts, details: { by } }, exchange);
  audit.note({ event: 'external.prove', result: 'success', ...facts }, exchange);
}

async function goOn(
  services: SignInServices,
  { signIn, connection, person, place, proof }: Proved & { proof: ExternalProof },
  exchange: Exchange,
): Promise<string> {
  try {
    const visit = await openVisit(services, { signIn, person, exchange, site: place });
    const about = { connectionId: connection.id, siteId: place?.id };
    const proved = await prove(services, visit, 'company', about);
    // what the provider calls the session is kept with it, or a sign-out over there would not find it
    const answer = await advance(services, proved, (transaction, session) =>
      session.connectionId === connection.id
        ? keepExternalSession(services, transaction, { ...session, connectionId: connection.id }, proof)
        : Promise.resolve(),
    );
    // what is still missing is asked for where every sign-in begins: the context knows what it is
    return answer.status === 'redirect' && answer.location
      ? answer.location
      : `/ui/account/login?${new URLSearchParams({ ReturnUrl: buildReturnUrl(signIn.uid, signIn.parameters) }).toString()}`;
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const failed = { event: 'external.prove', reason: error.detail ?? error.code } as const;
    return await fail(
      services,
      { ...failed, signIn, connection, personId: person.id, site: place?.name },
      exchange,
    );
  }
}
