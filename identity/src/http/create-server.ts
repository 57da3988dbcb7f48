import type { Socket } from 'node:net';
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { parseAddress } from '../lib/visitor-address.ts';
import { readBuiltPage, readInlineSources } from './built-pages.ts';
import { contentPolicy } from './content-policy.ts';
import { createClientErrorHandler, answerError } from './error-handler.ts';
import type { RenderPage } from './error-handler.ts';
import { ContractError } from './errors.ts';
import type { Readiness } from './health.ts';
import { createOpenBodies } from './open-bodies.ts';
import { createHostPin, requirePlainMethod } from './pinned-host.ts';
import { registerRegionOrigins } from './region-origins.ts';
import { correlationIdOf, registerRequestLog } from './request-hooks.ts';
import { securityHeaders, setSecurityHeaders } from './security-headers.ts';
import { createMissingAnswer } from './static-files.ts';
import { createProxyTrust } from './trusted-proxies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The visitor's address in canonical form. All code uses it instead of `ip`. A forwarded address counts only if a
     * trusted proxy sent it.
     */
    readonly visitorAddress: string;
  }
}

/** The maximum size of a request body, far larger than any call of the contract needs. */
const bodyLimitBytes = 64 * 1024;
/**
 * The limit for receiving the headers (attacks and faults, S65). A slow connection is closed after this limit plus at
 * most the checking interval, so in less than 15 s.
 */
const headersTimeoutMs = 10_000;
const connectionsCheckingIntervalMs = 2_500;
/** The limit for a whole request, for bodies that `open-bodies.ts` does not watch: those of unroutable requests. */
const requestTimeoutMs = 15_000;
/** The limit for an idle connection; longer than any response takes. */
const connectionTimeoutMs = 60_000;
const keepAliveTimeoutMs = 30_000;
const maxRequestsPerSocket = 1_000;
/** The maximum number of connections of a node: far more than it can serve, and far fewer than a process can open. */
const maxConnections = 5_000;
/** The maximum length of a path parameter; Fastify returns 414 for a longer one. */
const maxParamLength = 200;

/** Creates Fastify with the settings for every route: limits, headers of every response, pinned host, error handling. */
export function createServer(
  config: Config,
  log: Logger,
  readiness: Readiness,
  renderTooMuchData: RenderPage,
  { bodyMs }: { bodyMs?: number | undefined } = {},
): FastifyInstance {
  const { regionOrigins, logoOrigins } = config.contentPolicy;
  const answerMissing = createMissingAnswer(readBuiltPage(config.webDist));
  const policy = contentPolicy({
    page: readInlineSources(config.webDist),
    regionOrigins,
    logoOrigins,
  });
  const headers = securityHeaders({ contentPolicy: policy, publicUrl: config.publicUrl });
  const openBodies = createOpenBodies(bodyMs);

  const prepare = (request: FastifyRequest, reply: FastifyReply): void => {
    setSecurityHeaders(reply.raw, headers);
    reply.raw.setHeader('x-correlation-id', request.id);
    request.cookiesToSet = new Map();
    openBodies.watch(request, reply);
  };

  // Uses the framework's own type, because the instance would otherwise not accept plugins.
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
    clientErrorHandler: createClientErrorHandler(headers, log, renderTooMuchData),
    // Requests that the router rejects run no hooks, so the headers are set here too.
    frameworkErrors: (error, request, reply) => {
      prepare(request, reply);
      void answerError(error, request, reply);
    },
  });
  app.server.maxConnections = maxConnections;
  closeUnusedConnections(app);

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
    // Prevents clients from sending another request on a connection that is about to close.
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

/** Whether the path exists with another method, which is 405 instead of 404 (RFC 9110, 15.5.6). */
function isRouteOfAnotherMethod(app: FastifyInstance, method: string, url: string): boolean {
  const path = url.split('?', 1)[0] ?? '/';
  return (['GET', 'POST'] as const).some(
    (other) => other !== method && app.findRoute({ method: other, url: path }) !== null,
  );
}

/** Enough time for the first bytes of a request to arrive on a connection that was opened for it. */
const firstBytesMs = 2_000;

/**
 * When the server closes, closes connections on which no byte has arrived. Browsers open such connections in advance.
 * Node counts them as active and has no timeout for them after closing, so each would keep the process running until it
 * is killed. The client of a new connection first gets time to send its request.
 */
export function closeUnusedConnections(app: FastifyInstance): void {
  const connections = new Set<Socket>();
  app.server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  app.addHook('preClose', (done) => {
    setTimeout(() => {
      for (const socket of connections) {
        if (socket.bytesRead === 0) socket.destroy();
      }
    }, firstBytesMs).unref();
    done();
  });
}
