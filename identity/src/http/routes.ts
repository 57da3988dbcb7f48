import type { Call, CallInputOf, CallName } from '@anteroom/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { AntiForgery } from './anti-forgery.ts';
import type { CreateExchange } from './create-exchange.ts';
import { ContractError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { Handlers } from './implementation.ts';
import { parseJsonBody, requireHarmless } from './json-body.ts';

export type RouteDependencies = {
  createExchange: CreateExchange;
  /** What a state-changing call must prove: that it comes from our own pages; for a caller that is no browser, who it is. */
  antiForgery: Pick<AntiForgery, 'require'>;
  countRequest: (call: string, status: number, durationSeconds: number) => void;
  /** Asked before the body is read: throws when the call cannot be served now; answers how to give its place back. */
  admit: (call: string, address: string) => (() => void) | undefined;
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

/** Only this, to the letter: every other content type can be sent by a plain form of another site, without a preflight. */
const jsonContentType = /^application\/json(?:\s*;\s*charset=utf-8)?$/i;

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
          requireJson(request);
          antiForgery.require(request.headers);
        }
        const leave = admit(name, request.ip);
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
      if (checkAnswers && call.answer !== undefined) requireContractAnswer(name, call.answer, answer);
      return sendAnswer(call, answer, request, reply);
    },
    onResponse: (_request, reply, next) => {
      countRequest(name, reply.statusCode, reply.elapsedTime / 1000);
      next();
    },
  });
}

function requireJson(request: FastifyRequest): void {
  const { 'content-type': type = '', 'content-encoding': encoding } = request.headers;
  if (!jsonContentType.test(type) || encoding !== undefined)
    throw new ContractError('unsupported_media_type');
}

function parseInput<TCall extends Call>(call: TCall, request: FastifyRequest): CallInputOf<TCall> {
  const input = {
    params: parsePart(call.params, request.params, 'params'),
    query: parsePart(call.query, call.query && withContractSpelling(call.query, request.query), 'query'),
    body: parsePart(call.body, request.body, 'body'),
  };
  // The schemas that made it are the ones that its type is made of.
  return input as CallInputOf<TCall>;
}

function parsePart(schema: Call['body'], value: unknown, part: string): unknown {
  if (schema === undefined) return undefined;
  if (part !== 'body') requireHarmless(value);
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  // The places alone: what stood there may be a password.
  const places = result.issues.map((issue) => `${part}.${v.getDotPath(issue) ?? ''} ${issue.type}`);
  throw new ContractError('validation_failed', { detail: places.join(', ') });
}

/** Query parameters are matched without regard to case (wire contract); one that comes twice, in whatever spelling, is refused by its schema. */
function withContractSpelling(schema: NonNullable<Call['query']>, query: unknown): Record<string, unknown> {
  const entries =
    'entries' in schema && typeof schema.entries === 'object' && schema.entries !== null
      ? schema.entries
      : {};
  const spellings = new Map(Object.keys(entries).map((name) => [name.toLowerCase(), name]));
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query ?? {})) {
    const spelling = spellings.get(name.toLowerCase()) ?? name;
    result[spelling] = spelling in result ? [result[spelling], value] : value;
  }
  return result;
}

function requireContractAnswer(name: string, schema: NonNullable<Call['answer']>, answer: unknown): void {
  const result = v.safeParse(schema, answer);
  if (result.success) return;
  const places = result.issues.map((issue) => `${v.getDotPath(issue) ?? ''} ${issue.type}`);
  throw new Error(`The answer of ${name} does not keep the contract: ${places.join(', ')}`);
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
