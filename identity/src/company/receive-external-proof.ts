import type { Connection, ExternalProof } from './connection.ts';
import { findConnection } from './connections-store.ts';
import { ExternalFailure } from './external-provider.ts';
import type { ExternalRequest } from './external-requests.ts';
import { storeExternalSession } from './external-sessions.ts';
import { findUserOf } from './find-user.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { paths } from '../http/page-addresses.ts';
import { buildReturnUrl } from '../provider/return-url.ts';
import { findSignIn } from '../sign-in/sign-ins-store.ts';
import type { SignIn } from '../sign-in/sign-ins-store.ts';
import { findActiveUser } from '../users/users-store.ts';
import type { User } from '../users/users-store.ts';
import { findSiteMembership } from '../sites/site-memberships-store.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import { advance } from '../sign-in/advance.ts';
import type { WithSession } from '../sign-in/begin-session.ts';
import { findContinuedSession, openVisit, prove } from '../sign-in/visit.ts';
import { fail, failWithoutAccount } from './external-failures.ts';
import type { FailedExternalSignIn } from './external-failures.ts';
import { isFreshProofAsked } from './external-redirect.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';

/** A provider's response, with the consumed request that it answers. */
export type CompanyResponse = {
  request: ExternalRequest;
  /**
   * Verifies the response with the provider, or returns a stored proof.
   * @throws ExternalFailure
   */
  prove: (connection: Connection) => Promise<ExternalProof>;
};

/**
 * Continues the sign-in of a browser that returns from a provider, and returns the address to redirect to: the next
 * step, or an error page. If a step fails, records the reason for operators.
 */
export async function receiveExternalProof(
  services: SignInServices,
  { request, prove }: CompanyResponse,
  exchange: Exchange,
): Promise<string> {
  const { database, clock, keys } = services;
  const signIn = await findSignIn(database, request.uid, request.browserId, clock.now());
  const connection = await findConnection(database, keys, request.connectionId);
  const known = { signIn, connection };
  const refuse = (reason: string, more: Partial<FailedExternalSignIn> = {}) =>
    fail(services, { ...known, event: 'external.prove', reason, ...more }, exchange);

  if (signIn === undefined || signIn.finishedAt !== undefined) return await refuse('the sign-in is over');
  if (connection === undefined) return await refuse('the connection has been disabled');
  if (isFreshProofAsked(signIn) && !request.forceAuthentication)
    return await refuse('the request did not force the authentication that the application requires');

  const proof = await prove(connection).catch(toFailure);
  if (proof instanceof ExternalFailure) {
    exchange.log.warn({ err: proof, connection: connection.name }, 'refused the response of a provider');
    return await refuse(proof.reason);
  }
  const found = await findUserOf(services, connection, proof, request.siteId);
  if ('notFound' in found) return await failWithoutAccount(services, known, found, proof, exchange);
  const { userId } = found;
  const user = await findActiveUser(database, userId);
  if (user === undefined) return await refuse('disabled user', { userId });
  // Within a session, only the session's user can sign in, unless the application requests another user.
  const session = await findContinuedSession(services, signIn, exchange);
  if (session !== undefined && session.userId !== userId)
    return await refuse('the provider authenticated another user than the session', { userId });
  const site =
    request.siteId === undefined
      ? undefined
      : await findSiteMembership(database, { id: request.siteId }, userId);
  if (request.siteId !== undefined && site?.isMember !== true)
    return await refuse('not a member of the site', { userId, site: site?.name });

  noteProof(services, { signIn, connection, user, site, by: found.by }, exchange);
  return await continueSignIn(services, { signIn, connection, user, site, proof }, exchange);
}

function toFailure(error: unknown): ExternalFailure {
  if (error instanceof ExternalFailure) return error;
  throw error;
}

type Proved = { signIn: SignIn; connection: Connection; user: User; site: SiteMembership | undefined };

function noteProof(
  { audit, metrics }: SignInServices,
  { signIn, connection, user, site, by }: Proved & { by: string },
  exchange: Exchange,
): void {
  metrics.countSignInStep('external', 'proved');
  const facts = {
    userId: user.id,
    clientId: signIn.clientId,
    connection: connection.name,
    site: site?.name,
  };
  if (by !== 'identity')
    audit.note({ event: 'external.link', result: 'success', ...facts, details: { by } }, exchange);
  audit.note({ event: 'external.prove', result: 'success', ...facts }, exchange);
}

async function continueSignIn(
  services: SignInServices,
  { signIn, connection, user, site, proof }: Proved & { proof: ExternalProof },
  exchange: Exchange,
): Promise<string> {
  try {
    const visit = await openVisit(services, { signIn, user, exchange, site });
    const about = { connectionId: connection.id, siteId: site?.id };
    const proved = await prove(services, visit, 'company', about);
    // Stores the id of the provider's session with the new session, so that a logout at the provider can end it.
    const withSession: WithSession = (transaction, session) =>
      session.connectionId === connection.id
        ? storeExternalSession(services, transaction, { ...session, connectionId: connection.id }, proof)
        : Promise.resolve();
    const answer = await advance(services, proved, { withSession });
    // If a step is missing, redirect to the sign-in page, which gets the step from the context call.
    return answer.status === 'redirect' && answer.location
      ? answer.location
      : `${paths.signIn}?${new URLSearchParams({ ReturnUrl: buildReturnUrl(signIn.uid, signIn.parameters) }).toString()}`;
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const failed = { event: 'external.prove', reason: error.detail ?? error.code } as const;
    const facts = { signIn, connection, userId: user.id, site: site?.name };
    return await fail(services, { ...failed, ...facts }, exchange);
  }
}
