import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CreateExchange } from '../http/create-exchange.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { formContentType, readTextBodies } from '../http/text-bodies.ts';
import type { ForwardingPage } from '../texts/forwarding-page.ts';
import { regionKeysPath } from './peer-keys.ts';
import { regionPaths, tokenContentType } from './regions.ts';
import type { Regions } from './regions.ts';

/** The response to a visit: a page, or a redirect. */
export type RegionResponse = ForwardingPage | { location: string };

/** The handlers of the region routes. `sign-in/` implements them, because they need users, sites and sessions. */
export type RegionHandlers = {
  /** Another region announces a user. Returns the id of the arrival. */
  takeRequest: (token: string, exchange: Exchange) => Promise<{ request: string }>;
  /** Another region reports ended sessions. */
  takeNotice: (token: string, exchange: Exchange) => Promise<void>;
  /** The browser comes from the other region for the first time. */
  arrive: (request: unknown, exchange: Exchange) => Promise<RegionResponse>;
  /** The browser returns to the region of its session for the hand-over token. */
  handOver: (request: unknown, exchange: Exchange) => Promise<RegionResponse>;
  /** The browser presents the other region's hand-over token. */
  enter: (token: string, exchange: Exchange) => Promise<RegionResponse>;
};

/** The maximum size of a request body; signed tokens are far smaller. */
const bodyLimitBytes = 16 * 1024;

export async function registerRegions(
  app: FastifyInstance,
  regions: Regions,
  handlers: RegionHandlers,
  createExchange: CreateExchange,
): Promise<void> {
  app.get(regionKeysPath, () => regions.tokens.publicKeys);
  app.get<{ Querystring: { request?: unknown } }>('/regions/arrive', async (request, reply) =>
    goOn(reply, await handlers.arrive(request.query.request, createExchange(request, reply))),
  );
  app.get<{ Querystring: { request?: unknown } }>('/regions/hand-over', async (request, reply) =>
    goOn(reply, await handlers.handOver(request.query.request, createExchange(request, reply))),
  );

  await app.register((scope, _options, done) => {
    readTextBodies(scope, formContentType, bodyLimitBytes);
    scope.post(
      '/regions/arrive',
      { onRequest: (request, _reply, next) => next(requireFormOfAnotherRegion(request, regions)) },
      async (request, reply) => {
        const token = new URLSearchParams(String(request.body)).getAll('word');
        if (token.length !== 1)
          throw new ContractError('validation_failed', { detail: 'the body must have exactly one token' });
        return goOn(reply, await handlers.enter(token[0] ?? '', createExchange(request, reply)));
      },
    );
    done();
  });

  // Server-to-server routes, without cookies: the token identifies the caller.
  await app.register((scope, _options, done) => {
    readTextBodies(scope, tokenContentType, bodyLimitBytes);
    scope.post(regionPaths.request, async (request, reply) =>
      handlers.takeRequest(String(request.body), createExchange(request, reply)),
    );
    scope.post(regionPaths.notice, async (request, reply) => {
      await handlers.takeNotice(String(request.body), createExchange(request, reply));
      return reply.code(204).send();
    });
    done();
  });
}

/** Checks before the body is read that the form comes from a page of a listed region. */
function requireFormOfAnotherRegion(request: FastifyRequest, { others }: Regions): Error | undefined {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined && others.includes(origin) && (site === undefined || site === 'same-site'))
    return undefined;
  return new ContractError('csrf_failed', { detail: 'the form does not come from a listed region' });
}

function goOn(reply: FastifyReply, onward: RegionResponse): FastifyReply {
  if ('location' in onward) return reply.redirect(onward.location, 303);
  return reply.headers(onward.headers).send(onward.html);
}
