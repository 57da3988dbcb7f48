import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CreateExchange } from '../http/create-exchange.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { handOverScript, handOverScriptPath } from './pages.ts';
import type { RegionPage } from './pages.ts';
import { regionKeysPath } from './peer-keys.ts';
import { regionPaths, wordContentType } from './regions.ts';
import type { Regions } from './regions.ts';

/** What comes of a visit: a page, or an address to go on at. */
export type Onward = RegionPage | { location: string };

/** What is done at each of the regions' routes (`sign-in/` knows people, sites and sessions). */
export type RegionHandlers = {
  /** Another region asks whether somebody may come; answers the request's id. */
  takeRequest: (word: string, exchange: Exchange) => Promise<{ request: string }>;
  /** Another region says that sessions have ended. */
  takeNotice: (word: string, exchange: Exchange) => Promise<void>;
  /** The browser comes from the other region for the first time. */
  arrive: (request: unknown, exchange: Exchange) => Promise<Onward>;
  /** The browser is back where its session is, to be handed over. */
  handOver: (request: unknown, exchange: Exchange) => Promise<Onward>;
  /** The browser comes with the other region's word. */
  enter: (word: string, exchange: Exchange) => Promise<Onward>;
};

/** A signed word is far smaller. */
const bodyLimitBytes = 16 * 1024;

/** The script of every page that carries a form on. */
export function registerFormScript(app: FastifyInstance): void {
  app.get(handOverScriptPath, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(handOverScript),
  );
}

export async function registerRegions(
  app: FastifyInstance,
  regions: Regions,
  handlers: RegionHandlers,
  createExchange: CreateExchange,
): Promise<void> {
  app.get(regionKeysPath, () => regions.words.publicKeys);
  app.get<{ Querystring: { request?: unknown } }>('/regions/arrive', async (request, reply) =>
    goOn(reply, await handlers.arrive(request.query.request, createExchange(request, reply))),
  );
  app.get<{ Querystring: { request?: unknown } }>('/regions/hand-over', async (request, reply) =>
    goOn(reply, await handlers.handOver(request.query.request, createExchange(request, reply))),
  );

  await app.register((scope, _options, done) => {
    takeText(scope, 'application/x-www-form-urlencoded');
    scope.post(
      '/regions/arrive',
      { onRequest: (request, _reply, next) => next(requireFormOfAnotherRegion(request, regions)) },
      async (request, reply) => {
        const word = new URLSearchParams(String(request.body)).getAll('word');
        if (word.length !== 1) throw new ContractError('validation_failed', { detail: 'not one word' });
        return goOn(reply, await handlers.enter(word[0] ?? '', createExchange(request, reply)));
      },
    );
    done();
  });

  // No browser comes here, and nothing that one holds is looked at: the word says who asks.
  await app.register((scope, _options, done) => {
    takeText(scope, wordContentType);
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

function takeText(scope: FastifyInstance, contentType: string): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    contentType,
    { parseAs: 'string', bodyLimit: bodyLimitBytes },
    (_request, body, parsed) => parsed(null, body),
  );
}

/** Before the body is read. Browsers say where a form comes from; it is one of the listed regions, or nobody is heard. */
function requireFormOfAnotherRegion(request: FastifyRequest, { others }: Regions): Error | undefined {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined && others.includes(origin) && (site === undefined || site === 'same-site'))
    return undefined;
  return new ContractError('csrf_failed', { detail: 'the form comes from no region of ours' });
}

function goOn(reply: FastifyReply, onward: Onward): FastifyReply {
  if ('location' in onward) return reply.redirect(onward.location, 303);
  return reply.headers(onward.headers).send(onward.html);
}
