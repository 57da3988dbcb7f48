import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { AdminResources } from '../admin/admin-context.ts';
import type { AntiForgery } from '../http/anti-forgery.ts';
import { parseJson, requireJson } from '../http/call-input.ts';
import type { CreateExchange } from '../http/create-exchange.ts';
import { ContractError } from '../http/errors.ts';
import { localeOf } from '../http/language.ts';
import { hasControlCharacter } from '../lib/control-characters.ts';
import { addConsoleClient, consoleProofAddress } from '../provider/management-clients.ts';
import type { OpenidProvider } from '../provider/provider.ts';
import type { Services } from '../services.ts';
import { addActions } from './actions.ts';
import { createAuthenticateCaller } from './authenticate-caller.ts';
import type { Caller } from './authenticate-caller.ts';
import { describeMe } from './me.ts';
import { answerProblem, HttpRefusal } from './problem-details.ts';
import { addResourceRoutes } from './resource-routes.ts';
import type { AddRoute, Handle } from './resource-routes.ts';

export const managementPath = '/api/manage';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes of the management API, before the body is read. */
    caller: Caller | undefined;
  }
}

type Needed = {
  services: Services;
  provider: Pick<OpenidProvider, 'notifyApplications'>;
  log: Logger;
  createExchange: CreateExchange;
  antiForgery: AntiForgery;
};

/** Registers the management API: the operations of `admin/` over HTTP, for the console and for systems. */
export async function registerManagement(
  server: FastifyInstance,
  { services, provider, log, createExchange, antiForgery }: Needed,
): Promise<void> {
  addConsoleClient(services);
  const resources: AdminResources = {
    ...services,
    log,
    services: () => Promise.resolve(services),
    notifyApplications: () => Promise.resolve(provider.notifyApplications()),
    close: () => Promise.resolve(),
  };
  const authenticate = createAuthenticateCaller(services, resources, { createExchange, antiForgery });
  server.decorateRequest('caller', undefined);
  await server.register(
    async (scope) => {
      scope.setErrorHandler(answerProblem);
      scope.setNotFoundHandler((request, reply) =>
        answerProblem(
          new ContractError(isOfOtherMethod(scope, request) ? 'method_not_allowed' : 'not_found'),
          request,
          reply,
        ),
      );
      readJson(scope);
      addProof(scope, services);
      const add = addRouteTo(scope, authenticate);
      add('GET', 'me', async (context, { caller }) => {
        if (caller?.operator === undefined) throw new HttpRefusal(401, 'this is for people in a browser');
        return await describeMe(context, caller.operator);
      });
      addActions(add);
      await scope.register(async (imports) => {
        imports.removeAllContentTypeParsers();
        addResourceRoutes(imports, add, addRouteTo(imports, authenticate, { isFile: true }));
        await Promise.resolve();
      });
    },
    { prefix: managementPath },
  );
}

function readJson(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, parsed) => {
    try {
      parsed(null, parseJson(Buffer.from(body)));
    } catch (error) {
      parsed(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/** Every route but that of the proof knows its caller before it reads the body. */
function addRouteTo(
  scope: FastifyInstance,
  authenticate: (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>,
  { isFile = false } = {},
): AddRoute {
  return (method, path, handle: Handle) => {
    scope.route({
      method,
      url: `/${path}`,
      onRequest: async (request, reply) => {
        requireReadableParameters(request);
        if ((method === 'POST' || method === 'PATCH') && !isFile) requireJson(request.headers);
        request.caller = await authenticate(request, reply);
      },
      handler: async (request, reply) => {
        const { caller } = request;
        if (caller === undefined) throw new HttpRefusal(401, 'nobody is signed in');
        const answer = await handle(caller.context, request, reply);
        if (reply.sent || answer === reply) return reply;
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
      },
    });
  };
}

/** What cannot be stored does not exist. */
function requireReadableParameters({ params }: FastifyRequest): void {
  if (Object.values(params as Record<string, string>).some(hasControlCharacter))
    throw new ContractError('not_found');
}

function isOfOtherMethod(scope: FastifyInstance, { method, url }: FastifyRequest): boolean {
  const path = url.split('?', 1)[0] ?? '/';
  return (['GET', 'POST', 'PATCH', 'DELETE'] as const).some(
    (other) => other !== method && scope.findRoute({ method: other, url: path }) !== null,
  );
}

/** A path below the console, which the browser gets back after the proof. */
const consolePath = /^(?!.*(?:\/\/|\.\.|\\))[\w.~%!$'()*+,;=:@?&-][\w.~%!$'()*+,;=:@?&/-]{0,500}$/;

/** A navigation: leads through the sign-in, where the user proves who it is, and back into the console. */
function addProof(scope: FastifyInstance, services: Services): void {
  scope.get('/proof', (request, reply) => {
    const { return: asked } = request.query as Record<string, unknown>;
    const returnTo = typeof asked === 'string' && consolePath.test(asked) ? asked : undefined;
    const language = localeOf(request.headers);
    return reply.redirect(consoleProofAddress(services, { language, returnTo }), 302);
  });
}
