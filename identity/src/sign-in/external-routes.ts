import type { FastifyInstance } from 'fastify';
import { callbackPath } from '../enterprise/openid/openid-provider.ts';
import { ExternalFailure } from '../enterprise/external-provider.ts';
import { takeProof, takeRequest } from '../enterprise/external-requests.ts';
import type { CreateExchange } from '../http/create-exchange.ts';
import type { Exchange } from '../http/exchange.ts';
import { fail, plainErrorPage } from './external-failures.ts';
import { receiveExternalProof } from './receive-external-proof.ts';
import type { Arrival } from './receive-external-proof.ts';
import type { SignInServices } from './sign-in-services.ts';
import { createExternalRequestAllowance } from './external-request-allowance.ts';
import type { ExternalRequestAllowance } from './external-request-allowance.ts';

/** Where an answer goes on that was posted from another site, which our cookie does not come along with. */
export const continuePath = '/external/continue';

/** Where browsers come back from providers, each answered by an address to go on to. */
export function registerExternalRoutes(
  app: FastifyInstance,
  services: SignInServices,
  createExchange: CreateExchange,
): void {
  const { publicUrl } = services.config;
  const allowance = createExternalRequestAllowance(services);

  app.get(callbackPath, async (request, reply) => {
    const exchange = createExchange(request, reply);
    const answer = new URL(request.url, publicUrl);
    const arrival = await takeAnswer(services, answer, exchange);
    return await reply.redirect(await arrive(services, arrival, allowance, exchange), 303);
  });

  app.get<{ Querystring: { ticket?: unknown } }>(continuePath, async (request, reply) => {
    const exchange = createExchange(request, reply);
    const arrival = await takeTicket(services, request.query.ticket, exchange);
    return await reply.redirect(await arrive(services, arrival, allowance, exchange), 303);
  });
}

/** An OpenID provider's answer, in the browser that was sent there. */
async function takeAnswer(
  services: SignInServices,
  answer: URL,
  exchange: Exchange,
): Promise<Arrival | undefined> {
  const [id = '', ...more] = answer.searchParams.getAll('state');
  const browserId = await exchange.findBrowserId();
  const request =
    browserId === undefined || more.length > 0 ? undefined : await takeRequest(services, id, browserId);
  return (
    request && {
      request,
      prove: async (connection) => {
        if (connection.kind !== 'openid') throw new ExternalFailure('the connection is of another kind now');
        return await services.providers.openid.receive(connection, { ...request, id }, answer);
      },
    }
  );
}

/** What was proved by a post from another site, in the browser that was sent there. */
async function takeTicket(
  services: SignInServices,
  ticket: unknown,
  exchange: Exchange,
): Promise<Arrival | undefined> {
  const browserId = await exchange.findBrowserId();
  const taken =
    browserId === undefined || typeof ticket !== 'string'
      ? undefined
      : await takeProof(services, ticket, browserId);
  return taken && { request: taken.request, prove: () => Promise.resolve(taken.proof) };
}

/** Anybody may come here with nothing: that leaves a record as often as an address may begin a trip, and no more. */
async function arrive(
  services: SignInServices,
  arrival: Arrival | undefined,
  allowance: ExternalRequestAllowance,
  exchange: Exchange,
): Promise<string> {
  if (arrival !== undefined) return await receiveExternalProof(services, arrival, exchange);
  if ((await allowance.take('failed answer', exchange.address)) !== undefined) return plainErrorPage();
  const reason = 'no such trip of this browser, or it is over';
  return await fail(services, { event: 'external.prove', reason }, exchange);
}
