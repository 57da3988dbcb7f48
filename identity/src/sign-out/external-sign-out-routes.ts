import type { FastifyInstance } from 'fastify';
import { findConnectionByName } from '../company/connections-store.ts';
import { ExternalFailure } from '../company/external-provider.ts';
import { backChannelPath, signedOutPath } from '../company/openid/company-provider.ts';
import type { CreateExchange } from '../http/create-exchange.ts';
import type { Exchange } from '../http/exchange.ts';
import { formContentType, readTextBodies } from '../http/text-bodies.ts';
import type { Connection } from '../company/connection.ts';
import { findSessionsOfCompany, isFirstUse } from '../company/external-sessions.ts';
import type { VerifiedSignOut } from '../company/external-sessions.ts';
import { endSessions } from './end-sessions.ts';
import type { EndedSession } from './end-sessions.ts';
import { plainErrorPage } from '../company/external-failures.ts';
import { findReturnAddress, findSignOutAddress, signOutPath } from './external-sign-out.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';

/** The maximum size of a request body; a logout token has about one kilobyte. */
const formLimitBytes = 32 * 1024;

/** The routes for sign-outs between this service and OpenID providers of organisations, in both directions. */
export async function mountExternalSignOuts(
  app: FastifyInstance,
  services: SignInServices,
  createExchange: CreateExchange,
): Promise<void> {
  app.get<{ Querystring: { ticket?: unknown } }>(signOutPath, async (request, reply) => {
    const exchange = createExchange(request, reply, { extendSession: false });
    const location = await findSignOutAddress(services, request.query.ticket, exchange);
    // The ticket in this URL must not reach the provider.
    return await reply.header('referrer-policy', 'no-referrer').redirect(location ?? plainErrorPage(), 303);
  });

  app.get<{ Querystring: { state?: unknown } }>(signedOutPath, async (request, reply) =>
    reply
      .header('referrer-policy', 'no-referrer')
      .redirect(findReturnAddress(services, request.query.state), 303),
  );

  await app.register((scope, _options, done) => {
    readTextBodies(scope, formContentType, formLimitBytes);
    scope.post<{ Params: { connection: string } }>(
      `${backChannelPath}/:connection`,
      async (request, reply) => {
        const exchange = createExchange(request, reply, { extendSession: false });
        const tokens = new URLSearchParams(String(request.body)).getAll('logout_token');
        const isAccepted = await receiveBackChannelLogout(
          services,
          request.params.connection,
          tokens,
          exchange,
        );
        // OpenID Connect Back-Channel Logout 1.0, 2.8. The reason is only in the logs, not in the response.
        if (!isAccepted) return await reply.code(400).send({ error: 'invalid_request' });
        return await reply.code(200).send();
      },
    );
    done();
  });
}

/**
 * Handles a back-channel logout: the provider's server reports that a user has signed out there, and the sessions that
 * depend on that provider session end here. The signed token authenticates the request; cookies are ignored. The
 * response is the same whether or not there was a session.
 */
async function receiveBackChannelLogout(
  services: SignInServices,
  name: string,
  tokens: readonly string[],
  exchange: Exchange,
): Promise<boolean> {
  const { database, keys, companyProviders, audit } = services;
  const [token, ...more] = tokens;
  try {
    // The connection in the URL, not the issuer in the token, selects the keys that verify the token.
    const connection = await findConnectionByName(database, keys, name);
    if (connection?.kind !== 'openid') throw new ExternalFailure('there is no such connection');
    if (token === undefined || more.length > 0)
      throw new ExternalFailure('logout token: the request must contain exactly one');
    const signOut = await companyProviders.openid.verifySignOut(connection, token);
    if (!(await endSessionsThatCompanyEnded(services, connection, signOut, exchange)))
      throw new ExternalFailure('logout token: replayed');
    return true;
  } catch (error) {
    if (!(error instanceof ExternalFailure)) throw error;
    exchange.log.warn({ err: error, connection: name }, 'refused the back-channel logout of a provider');
    audit.note({ event: 'session.end', result: 'failure', reason: error.reason, connection: name }, exchange);
    return false;
  }
}

/**
 * Ends the sessions that the provider reports as ended, with their grants at applications, in one transaction. Returns
 * false if the message was used before.
 */
export async function endSessionsThatCompanyEnded(
  services: Pick<SignInServices, 'database' | 'clock' | 'provider' | 'audit'>,
  connection: Pick<Connection, 'id' | 'name'>,
  signOut: VerifiedSignOut,
  exchange: Exchange,
): Promise<boolean> {
  const { database, clock, provider } = services;
  const connectionId = connection.id;
  const ended = await database.transaction().execute(async (transaction) => {
    if (!(await isFirstUse(transaction, { ...signOut, connectionId }))) return undefined;
    const idHashes = await findSessionsOfCompany(transaction, { ...signOut, connectionId });
    return await endSessions(transaction, { idHashes }, clock.now());
  });
  if (ended === undefined) return false;
  provider.notifyApplications();
  note(services, connection, ended, exchange);
  return true;
}

function note(
  { audit }: Pick<SignInServices, 'audit'>,
  { name: connection }: Pick<Connection, 'name'>,
  ended: readonly EndedSession[],
  exchange: Exchange,
): void {
  const reason = 'the identity provider signed the user out';
  if (ended.length === 0)
    audit.note(
      { event: 'session.end', result: 'success', reason: `${reason}; no session`, connection },
      exchange,
    );
  for (const { userId, idHash: sessionHash } of ended)
    audit.note(
      { event: 'session.end', result: 'success', reason, connection, userId, sessionHash },
      exchange,
    );
}
