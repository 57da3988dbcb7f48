import type { FastifyInstance } from 'fastify';
import { callbackPath } from './openid/company-provider.ts';
import { ExternalFailure } from './external-provider.ts';
import { takeProof, takeRequest } from './external-requests.ts';
import type { CreateExchange } from '../http/create-exchange.ts';
import type { Exchange } from '../http/exchange.ts';
import { fail, plainErrorPage } from './external-failures.ts';
import { receiveExternalProof } from './receive-external-proof.ts';
import type { CompanyResponse } from './receive-external-proof.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';

/**
 * The redirect target after an identity provider's form post. The browser sends no cookies with the post itself, but
 * sends them with this redirect.
 */
export const continuePath = '/external/continue';

/** The routes to which identity providers return browsers. Each responds with a redirect. */
export function registerExternalRoutes(
  app: FastifyInstance,
  services: SignInServices,
  createExchange: CreateExchange,
): void {
  const { publicUrl } = services.config;

  app.get(callbackPath, async (request, reply) => {
    const exchange = createExchange(request, reply);
    const answer = new URL(request.url, publicUrl);
    const response = await takeAnswer(services, answer, exchange);
    return await reply.redirect(await receive(services, response, exchange), 303);
  });

  app.get<{ Querystring: { ticket?: unknown } }>(continuePath, async (request, reply) => {
    const exchange = createExchange(request, reply);
    const response = await takeTicket(services, request.query.ticket, exchange);
    return await reply.redirect(await receive(services, response, exchange), 303);
  });
}

/**
 * Reads the response of an OpenID provider and consumes its request. Undefined if this browser has no matching request.
 */
async function takeAnswer(
  services: SignInServices,
  answer: URL,
  exchange: Exchange,
): Promise<CompanyResponse | undefined> {
  const [id = '', ...more] = answer.searchParams.getAll('state');
  const browserId = await exchange.findBrowserId();
  const request =
    browserId === undefined || more.length > 0 ? undefined : await takeRequest(services, id, browserId);
  return (
    request && {
      request,
      prove: async (connection) => {
        if (connection.kind !== 'openid') throw new ExternalFailure('the kind of the connection has changed');
        return await services.companyProviders.openid.receive(connection, { ...request, id }, answer);
      },
    }
  );
}

/** Reads the stored proof of a posted response by its ticket. Undefined if this browser has no matching request. */
async function takeTicket(
  services: SignInServices,
  ticket: unknown,
  exchange: Exchange,
): Promise<CompanyResponse | undefined> {
  const browserId = await exchange.findBrowserId();
  const taken =
    browserId === undefined || typeof ticket !== 'string'
      ? undefined
      : await takeProof(services, ticket, browserId);
  return taken && { request: taken.request, prove: () => Promise.resolve(taken.proof) };
}

/** Anyone can send a request without a valid response, so the number of error records per address is limited. */
async function receive(
  services: SignInServices,
  response: CompanyResponse | undefined,
  exchange: Exchange,
): Promise<string> {
  if (response !== undefined) return await receiveExternalProof(services, response, exchange);
  if ((await services.externalAllowance.take('invalid response', exchange)) !== undefined)
    return plainErrorPage();
  const reason = 'this browser has no such request to a provider, or it has expired';
  return await fail(services, { event: 'external.prove', reason }, exchange);
}
