import type { Call, CallInputOf, CallAnswerOf, calls } from '@anteroom/contract';
import { findContradictions } from '@anteroom/contract/answer-rules';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AntiForgery } from './anti-forgery.ts';
import { parseInput, requireJson, parseJsonBody } from './call-input.ts';
import type { CreateExchange } from './create-exchange.ts';
import type { Exchange } from './exchange.ts';

export type RouteDependencies = {
  createExchange: CreateExchange;
  /**
   * Verifies that a state-changing call comes from our own pages. For server-to-server calls, verifies the identity of
   * the caller.
   */
  antiForgery: Pick<AntiForgery, 'require'>;
  countRequest: (call: string, status: number, durationSeconds: number) => void;
  admission: Admission;
  /** Whether responses are validated against the contract. Production relies on the types alone. */
  checkAnswers: boolean;
};

/** Limits the calls that need scarce capacity. */
export type Admission = {
  /** Called before the body is read. Throws if the call cannot be served now; reserves nothing. */
  requireRoom: (call: Call, caller: Pick<Exchange, 'address' | 'headers'>) => void;
  /** Reserves the capacity for a call that has arrived completely. Returns the function that releases it. */
  admit: (call: Call) => (() => void) | undefined;
};

/** Registers a route for each call of a table. */
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
  const { createExchange, antiForgery, admission, countRequest, checkAnswers } = dependencies;
  const changesState = call.method !== 'GET';

  scope.route({
    method: call.method,
    url: call.path,
    config: { call: name },
    // These checks run before the body is read, so that a rejected request costs little.
    onRequest: (request, reply, next) => {
      try {
        if (changesState) {
          requireJson(request.headers);
          antiForgery.require(request.headers);
        }
        admission.requireRoom(call, { address: request.visitorAddress, headers: request.headers });
        next();
      } catch (error) {
        next(error instanceof Error ? error : new Error(String(error)));
      }
    },
    handler: async (request, reply) => {
      const input = parseInput(call, request);
      const releaseCapacity = admission.admit(call);
      const extendSession = call.background !== true;
      let answer: unknown;
      try {
        answer = await handle(input, createExchange(request, reply, { extendSession, releaseCapacity }));
      } finally {
        releaseCapacity?.();
      }
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
  if (wrong.length > 0) throw new Error(`The response of ${name} violates the contract: ${wrong.join(', ')}`);
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

/** Redirects a navigation. A caller that accepts only text gets the URL in the body. */
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
  throw new Error('The redirect has no URL');
}

/** A handler for each call of a table; a missing handler or one of the wrong type does not compile. */
export type Handlers<TCalls extends Readonly<Record<string, Call>>> = {
  [Name in keyof TCalls]: (
    input: CallInputOf<TCalls[Name]>,
    exchange: Exchange,
  ) => Promise<CallAnswerOf<TCalls[Name]>>;
};

/** The handlers of all calls of the contract. */
export type Implementation = Handlers<typeof calls>;

export type CallHandler<Name extends keyof Implementation> = Implementation[Name];
