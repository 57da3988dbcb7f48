import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answerError } from './error-handler.ts';
import { ContractError } from './errors.ts';

/** The build gives everything in this folder a name that carries its content's hash. */
const hashedAssets = `${sep}assets${sep}app${sep}`;

/** The built page, or undefined where the front end has not been built (or is served elsewhere). */
export function readBuiltPage(webDist: string): string | undefined {
  const file = join(webDist, 'index.html');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/**
 * The built front end under `/ui/`: compressed files as the build left them, hashed ones for ever, the page for every address
 * that is no file. A missing file is 404 and never the page: a script that turns out to be HTML breaks without a word.
 */
export async function registerStaticFiles(app: FastifyInstance, webDist: string): Promise<void> {
  app.get('/ui', (request, reply) => reply.redirect(`/ui/${queryOf(request)}`, 302));
  await app.register(
    async (scope) => {
      // What cannot be served (a folder, a path that is written strangely) is not there; the framework has refused it by then.
      scope.setErrorHandler((error, request, reply) =>
        answerError(
          isRefusal(error) ? new ContractError('not_found', { cause: error }) : error,
          request,
          reply,
        ),
      );
      scope.get('/', { prefixTrailingSlash: 'slash' }, (_request, reply) => reply.sendFile('index.html'));
      await scope.register(fastifyStatic, {
        root: webDist,
        prefix: '/',
        preCompressed: true,
        index: false,
        dotfiles: 'ignore',
        // The service's own `no-store` stands, but for what can never change.
        cacheControl: false,
        lastModified: false,
        setHeaders: (reply, file) => {
          if (file.includes(hashedAssets))
            reply.header('cache-control', 'public, max-age=31536000, immutable');
        },
      });
      scope.setNotFoundHandler(async (request, reply) => {
        if (!isPageAddress(request)) throw new ContractError('not_found');
        return reply.sendFile('index.html');
      });
    },
    { prefix: '/ui' },
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

/** A route of the front end: a navigation to something without the look of a file. */
function isPageAddress(request: FastifyRequest): boolean {
  const path = request.url.split('?', 1)[0] ?? '';
  const lastSegment = path.slice(path.lastIndexOf('/') + 1);
  const reads = request.method === 'GET' || request.method === 'HEAD';
  return reads && !path.startsWith('/ui/assets/') && !lastSegment.includes('.');
}

const plainPath = /^\/[\w./~-]*$/;

/** The front end's own routes, when they are asked for without `/ui`, lead to their twin there; the query is kept. */
export function registerTwins(app: FastifyInstance): void {
  for (const url of ['/', '/account/*', '/home/*']) {
    app.get(url, (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '';
      // Nothing that a browser would read as another path, or as another host, than it looks like.
      if (!plainPath.test(path) || /\/\.{0,2}\/|\/\.{1,2}$/.test(path)) throw new ContractError('not_found');
      return reply.redirect(`/ui${path}${queryOf(request)}`, 302);
    });
  }
}

/** `?…` as it came, or nothing; a character that no header may carry is written as a browser would. */
function queryOf(request: FastifyRequest): string {
  const at = request.url.indexOf('?');
  return at < 0 ? '' : encodeURI(request.url.slice(at)).replaceAll('%25', '%');
}
