import type { Call, CallInputOf, CallName } from '@anteroom/contract';
import { findContradictions } from '@anteroom/contract/answer-rules';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AntiForgery } from './anti-forgery.ts';
import { parseInput, requireJson } from './call-input.ts';
import type { CreateExchange } from './create-exchange.ts';
import type { Exchange } from './exchange.ts';
import type { Handlers } from './implementation.ts';
import { parseJsonBody } from './json-body.ts';

export type RouteDependencies = {
  createExchange: CreateExchange;
  /** What a state-changing call must prove: that it comes from our own pages; for a caller that is no browser, who it is. */
  antiForgery: Pick<AntiForgery, 'require'>;
  countRequest: (call: string, status: number, durationSeconds: number) => void;
  /** Asked before the body is read: throws when the call cannot be served now; answers how to give its place back. */
  admit: (call: string, visit: Pick<Exchange, 'address' | 'raw'>) => (() => void) | undefined;
  /** Every answer is held against the contract; in production the types have to do. */
  checkAnswers: boolean;
};

/** The page makes these by itself: they must not keep a session alive that its person has left. */
const backgroundCalls: ReadonlySet<string> = new Set<CallName>([
  'getRetry',
  'getSiteTodo',
  'getErrorMessage',
  'postMetrics',
  'getConfig',
]);

/** One route for each call of a table. */
export async function registerCalls<TCalls extends Readonly<Record<string, Call>>>(
  app: FastifyInstance,
  calls: TCalls,
  implementation: Handlers<TCalls>,
  dependencies: RouteDependencies,
): Promise<void> {
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, parsed) => {
      try {
        parsed(null, parseJsonBody(Buffer.from(body)));
      } catch (error) {
        parsed(error instanceof Error ? error : new Error(String(error)));
      }
    });
    for (const name in calls) registerCall(scope, name, calls[name], implementation[name], dependencies);
    done();
  });
}

function registerCall<TCall extends Call>(
  scope: FastifyInstance,
  name: string,
  call: TCall,
  handle: (input: CallInputOf<TCall>, exchange: Exchange) => Promise<unknown>,
  dependencies: RouteDependencies,
): void {
  const { createExchange, antiForgery, admit, countRequest, checkAnswers } = dependencies;
  const changesState = call.method !== 'GET';

  scope.route({
    method: call.method,
    url: call.path,
    config: { call: name },
    // Before the body is read: what is refused costs nothing.
    onRequest: (request, reply, next) => {
      try {
        if (changesState) {
          requireJson(request.headers);
          antiForgery.require(request.headers);
        }
        const raw = { request: request.raw, response: reply.raw };
        const leave = admit(name, { address: request.visitorAddress, raw });
        // However it ends, also by a visitor who goes away in the middle.
        if (leave !== undefined) reply.raw.once('close', leave);
        next();
      } catch (error) {
        next(error instanceof Error ? error : new Error(String(error)));
      }
    },
    handler: async (request, reply) => {
      const input = parseInput(call, request);
      const exchange = createExchange(request, reply, { extendSession: !backgroundCalls.has(name) });
      const answer: unknown = await handle(input, exchange);
      if (checkAnswers) requireContractAnswer(name, call, answer);
      return sendAnswer(call, answer, request, reply);
    },
    onResponse: (_request, reply, next) => {
      countRequest(name, reply.statusCode, reply.elapsedTime / 1000);
      next();
    },
  });
}

function requireContractAnswer(name: string, call: Call, answer: unknown): void {
  const wrong = findContradictions(name, call, answer);
  if (wrong.length > 0)
    throw new Error(`The answer of ${name} does not keep the contract: ${wrong.join(', ')}`);
}

function sendAnswer(call: Call, answer: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  switch (call.kind) {
    case 'json':
      return reply.type('application/json; charset=utf-8').send(answer);
    case 'empty':
      return reply.code(204).send();
    case 'text':
      return reply.type('text/plain; charset=utf-8').send(answer);
    case 'xml':
      return reply.type('application/xml; charset=utf-8').send(answer);
    case 'redirect':
      return sendRedirect(locationOf(answer), request, reply);
  }
}

/** A browser's navigation follows it; a caller that asks for text alone gets the address. */
function sendRedirect(location: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('vary', 'Accept, Origin');
  return /^text\/plain\b/.test(request.headers.accept ?? '')
    ? reply.type('text/plain; charset=utf-8').send(location)
    : reply.redirect(location, 302);
}

function locationOf(answer: unknown): string {
  if (
    typeof answer === 'object' &&
    answer !== null &&
    'location' in answer &&
    typeof answer.location === 'string'
  ) {
    return answer.location;
  }
  throw new Error('A redirect without an address');
}
