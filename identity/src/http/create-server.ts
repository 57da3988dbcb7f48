import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { correlationIdOf } from '../lib/correlation-id.ts';
import { parseAddress } from '../lib/visitor-address.ts';
import { createClientErrorHandler } from './client-errors.ts';
import { contentPolicy } from './content-policy.ts';
import { answerError } from './error-handler.ts';
import { ContractError } from './errors.ts';
import type { Readiness } from './health.ts';
import { createHostPin, requirePlainMethod } from './pinned-host.ts';
import { registerRegionOrigins } from './region-origins.ts';
import { registerRequestLog } from './request-log.ts';
import { securityHeaders, setSecurityHeaders } from './security-headers.ts';
import { createMissingAnswer, readBuiltPage } from './static-files.ts';
import { createProxyTrust } from './trusted-proxies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The visitor's address in its canonical spelling, through trusted proxies alone. Everything reads this one instead of `ip`. */
    readonly visitorAddress: string;
  }
}

/** No call of the contract comes near it. */
const bodyLimitBytes = 64 * 1024;
/** Headers are cut after 15 s at the latest (attacks and faults, S65): the limit and the pause between two looks. */
const headersTimeoutMs = 10_000;
const connectionsCheckingIntervalMs = 2_500;
/** A whole request, body included. */
const requestTimeoutMs = 25_000;
/** A connection on which nothing moves, in either direction; longer than any answer takes. */
const connectionTimeoutMs = 60_000;
const keepAliveTimeoutMs = 30_000;
const maxRequestsPerSocket = 1_000;
/** Well above what a node can serve, well below what a process can open. */
const maxConnections = 5_000;
/** The longest path parameter; Fastify answers a longer one with 414. */
const maxParamLength = 200;

/** Fastify as every route needs it: limits, the headers of every response, the pinned host, one place for errors. */
export function createServer(config: Config, log: Logger, readiness: Readiness): FastifyInstance {
  const { regionOrigins, signOutFrameOrigins, logoOrigins } = config.contentPolicy;
  const page = readBuiltPage(config.webDist);
  const answerMissing = createMissingAnswer(page);
  const policy = contentPolicy({
    page,
    regionOrigins,
    signOutFrameOrigins,
    logoOrigins,
  });
  const headers = securityHeaders({ contentPolicy: policy, publicUrl: config.publicUrl });

  const prepare = (request: FastifyRequest, reply: FastifyReply): void => {
    setSecurityHeaders(reply.raw, headers);
    reply.raw.setHeader('x-correlation-id', request.id);
    request.cookiesToSet = new Map();
  };

  // By its narrower type, or the instance would be one that no plugin takes.
  const frameworkLog: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance: frameworkLog,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'correlationId' }),
    genReqId: (request) => correlationIdOf(request.headers),
    trustProxy: config.trustedProxies.length > 0 ? createProxyTrust(config.trustedProxies) : false,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: connectionTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    maxRequestsPerSocket,
    routerOptions: { maxParamLength, caseSensitive: true, ignoreTrailingSlash: false },
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: connectionsCheckingIntervalMs },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: createClientErrorHandler(headers, log),
    // What the router refuses passes no hook, so the headers are set here too.
    frameworkErrors: (error, request, reply) => {
      prepare(request, reply);
      void answerError(error, request, reply);
    },
  });
  app.server.maxConnections = maxConnections;

  const requirePinnedHost = createHostPin(config.publicUrl);
  app.decorateRequest('cookiesToSet');
  app.decorateRequest('visitorAddress', {
    getter() {
      return parseAddress(this.ip);
    },
  });
  app.addHook('onRequest', (request, reply, next) => {
    prepare(request, reply);
    try {
      requirePinnedHost(request.raw);
      requirePlainMethod(request.raw);
      next();
    } catch (error) {
      next(error instanceof Error ? error : new Error(String(error)));
    }
  });
  registerRegionOrigins(app, regionOrigins);
  app.addHook('onSend', (request, reply, _payload, next) => {
    for (const cookie of request.cookiesToSet.values()) reply.header('set-cookie', cookie);
    // Nobody shall send the next request into a connection that is about to be closed.
    if (readiness.isStopping()) reply.header('connection', 'close');
    next();
  });
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) => {
    if (isRouteOfAnotherMethod(app, request.method, request.url))
      throw new ContractError('method_not_allowed');
    return answerMissing(request, reply);
  });
  registerRequestLog(app);
  return app;
}

/** A path that exists for another method is told apart from one that does not exist (RFC 9110, 15.5.6). */
function isRouteOfAnotherMethod(app: FastifyInstance, method: string, url: string): boolean {
  const path = url.split('?', 1)[0] ?? '/';
  return (['GET', 'POST'] as const).some(
    (other) => other !== method && app.findRoute({ method: other, url: path }) !== null,
  );
}
