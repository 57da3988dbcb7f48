import type { FastifyInstance } from 'fastify';
import { findConnectionByName } from '../enterprise/connections-store.ts';
import { ExternalFailure } from '../enterprise/external-provider.ts';
import { backChannelPath, signedOutPath } from '../enterprise/openid/openid-provider.ts';
import type { CreateExchange } from '../http/create-exchange.ts';
import type { Exchange } from '../http/exchange.ts';
import { plainErrorPage } from './external-failures.ts';
import { endSessionsThatProviderEnded } from './external-session-ends.ts';
import { findReturnAddress, findSignOutAddress, signOutPath } from './external-sign-out.ts';
import type { SignInServices } from './sign-in-services.ts';

/** A logout token has about one kilobyte. */
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
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formLimitBytes },
      (_request, body, parsed) => parsed(null, new URLSearchParams(String(body))),
    );
    scope.post<{ Params: { connection: string }; Body: URLSearchParams | undefined }>(
      `${backChannelPath}/:connection`,
      async (request, reply) => {
        const exchange = createExchange(request, reply, { extendSession: false });
        const tokens = request.body?.getAll('logout_token') ?? [];
        const isAccepted = await receiveBackChannelLogout(
          services,
          request.params.connection,
          tokens,
          exchange,
        );
        // OpenID Connect Back-Channel Logout 1.0, 2.8. The response does not reveal the reason, which is only for operators.
        if (!isAccepted) return await reply.code(400).send({ error: 'invalid_request' });
        return await reply.code(200).send();
      },
    );
    done();
  });
}

/**
 * Handles a back-channel logout: the provider's server reports that a user has signed out there, and the sessions that
 * the provider began here end. The signed token authenticates the request; cookies are ignored. The response is the
 * same whether or not there was a session.
 */
async function receiveBackChannelLogout(
  services: SignInServices,
  name: string,
  tokens: readonly string[],
  exchange: Exchange,
): Promise<boolean> {
  const { database, keys, providers, audit } = services;
  const [token, ...more] = tokens;
  try {
    // The URL, not the token, decides which provider's keys verify the token.
    const connection = await findConnectionByName(database, keys, name);
    if (connection?.kind !== 'openid') throw new ExternalFailure('there is no such connection');
    if (token === undefined || more.length > 0) throw new ExternalFailure('logout token: not exactly one');
    const signOut = await providers.openid.verifySignOut(connection, token);
    if (!(await endSessionsThatProviderEnded(services, connection, signOut, exchange)))
      throw new ExternalFailure('logout token: replayed');
    return true;
  } catch (error) {
    if (!(error instanceof ExternalFailure)) throw error;
    exchange.log.warn({ err: error, connection: name }, 'refused the back-channel logout of a provider');
    audit.note({ event: 'session.end', result: 'failure', reason: error.reason, connection: name }, exchange);
    return false;
  }
}
