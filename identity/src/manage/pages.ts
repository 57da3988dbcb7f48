import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerError } from '../http/error-handler.ts';
import { ContractError } from '../http/errors.ts';
import { filesOf } from '../http/static-files.ts';

export const consolePath = '/console';

/** The build adds a content hash to the name of every file in this folder. */
const hashedAssets = `${sep}assets${sep}`;

/** Stricter than that of the sign-in pages: nothing inline, no frames, and only this service is called. */
function policyOfConsole(logoOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ['img-src', "'self'", ...logoOrigins].join(' '),
    "connect-src 'self'",
    "font-src 'none'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** Serves the built console; every address below it that is no file is a page of it. */
export async function registerConsole(
  server: FastifyInstance,
  { consoleDist, logoOrigins }: { consoleDist: string; logoOrigins: readonly string[] },
): Promise<void> {
  if (!existsSync(join(consoleDist, 'index.html'))) return;
  const { default: fastifyStatic } = await import('@fastify/static');
  const policy = policyOfConsole(logoOrigins);
  server.get(consolePath, (_request, reply) => reply.redirect(`${consolePath}/`, 302));
  await server.register(
    async (scope) => {
      scope.addHook('onSend', (_request, reply, _payload, next) => {
        reply.header('content-security-policy', policy);
        next();
      });
      // Invalid encodings and folders, which the framework rejects, are missing files.
      scope.setErrorHandler((error, request, reply) =>
        answerError(isRefusal(error) ? new ContractError('not_found') : error, request, reply),
      );
      const sendPage = (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
        reply.sendFile('index.html');
      scope.get('/', { prefixTrailingSlash: 'slash' }, sendPage);
      await scope.register(fastifyStatic, filesOf(consoleDist, hashedAssets));
      scope.setNotFoundHandler(async (request, reply) => {
        const isPage =
          (request.method === 'GET' || request.method === 'HEAD') &&
          !request.url.startsWith(`${consolePath}/assets/`);
        if (isPage) return sendPage(request, reply);
        return await answerError(new ContractError('not_found'), request, reply);
      });
    },
    { prefix: consolePath },
  );
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error &&
    'statusCode' in error &&
    typeof error.statusCode === 'number' &&
    error.statusCode < 500
  );
}
