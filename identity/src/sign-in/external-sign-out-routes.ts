import type { FastifyInstance } from 'fastify';
import { findConnectionByName } from '../enterprise/connections-store.ts';
import { ExternalFailure } from '../enterprise/external-provider.ts';
import { backChannelPath, signedOutPath } from '../enterprise/openid/openid-provider.ts';
import type { CreateExchange } from '../http/create-exchange.ts';
import type { Exchange } from '../http/exchange.ts';
import { plainErrorPage } from './external-failures.ts';
import { endSessionsThatProviderEnded } from './external-session-ends.ts';
import { leaveForSignOut, returnFromSignOut, signOutPath } from './external-sign-out.ts';
import type { SignInServices } from './sign-in-services.ts';

/** A logout token is a kilobyte. */
const formLimitBytes = 32 * 1024;

/** Sign-outs between us and companies' OpenID providers, in either direction. */
export async function mountExternalSignOuts(
  app: FastifyInstance,
  services: SignInServices,
  createExchange: CreateExchange,
): Promise<void> {
  app.get<{ Querystring: { ticket?: unknown } }>(signOutPath, async (request, reply) => {
    const exchange = createExchange(request, reply, { extendSession: false });
    const location = await leaveForSignOut(services, request.query.ticket, exchange);
    // the ticket is nobody else's business
    return await reply.header('referrer-policy', 'no-referrer').redirect(location ?? plainErrorPage(), 303);
  });

  app.get<{ Querystring: { state?: unknown } }>(signedOutPath, async (request, reply) =>
    reply
      .header('referrer-policy', 'no-referrer')
      .redirect(returnFromSignOut(services, request.query.state), 303),
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
        const isHeard = await hearSignOut(services, request.params.connection, tokens, exchange);
        // OpenID Connect Back-Channel Logout 1.0, 2.8; nobody is told more, the reason is the operators' alone
        if (!isHeard) return await reply.code(400).send({ error: 'invalid_request' });
        return await reply.code(200).send();
      },
    );
    done();
  });
}

/**
 * A provider says, from server to server, that somebody has signed out there: what it began here ends. No browser has a part in it, and no
 * cookie is looked at; what proves something is the signed token. It is heard with the same answer whether there was a session or none.
 */
async function hearSignOut(
  services: SignInServices,
  name: string,
  tokens: readonly string[],
  exchange: Exchange,
): Promise<boolean> {
  const { database, keys, providers, audit } = services;
  const [token, ...more] = tokens;
  try {
    // the address says whose keys count, and not the token
    const connection = await findConnectionByName(database, keys, name);
    if (connection?.kind !== 'openid') throw new ExternalFailure('there is no such connection');
    if (token === undefined || more.length > 0) throw new ExternalFailure('logout token: not one');
    const heard = await providers.openid.hearSignOut(connection, token);
    if (!(await endSessionsThatProviderEnded(services, connection, heard, exchange)))
      throw new ExternalFailure('logout token: replayed');
    return true;
  } catch (error) {
    if (!(error instanceof ExternalFailure)) throw error;
    exchange.log.warn({ err: error, connection: name }, 'a provider’s sign-out was refused');
    audit.note({ event: 'session.end', result: 'failure', reason: error.reason, connection: name }, exchange);
    return false;
  }
}
