import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import { pageRoutes } from '@anteroom/contract/page-routes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerError } from './error-handler.ts';
import { ContractError } from './errors.ts';
import { createPageAnswers } from './page-answers.ts';

/** The build gives everything in this folder a name that carries its content's hash. */
const hashedAssets = `${sep}assets${sep}app${sep}`;

/** The built page, or undefined where the front end has not been built (or is served elsewhere). */
export function readBuiltPage(webDist: string | undefined): string | undefined {
  if (webDist === undefined) return undefined;
  const file = join(webDist, 'index.html');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/**
 * The built front end under `/ui/`: compressed files as the build left them, hashed ones for ever, and the page for each of its routes.
 */
export async function registerStaticFiles(
  app: FastifyInstance,
  webDist: string,
  config: Parameters<typeof createPageAnswers>[2],
): Promise<void> {
  const answerMissing = createMissingAnswer(readBuiltPage(webDist));
  app.get('/ui', (request, reply) => reply.redirect(`/ui/${queryOf(request)}`, 302));
  await app.register(
    async (scope) => {
      // The framework has refused what cannot be served (a folder, a path in a strange encoding): it does not exist.
      scope.setErrorHandler((error, request, reply) =>
        isRefusal(error) ? answerMissing(request, reply) : answerError(error, request, reply),
      );
      const findAnswers = createPageAnswers(app, webDist, config);
      const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
        const page = isSignInRoute(request) ? await findAnswers(request, reply) : undefined;
        return page === undefined
          ? reply.sendFile('index.html')
          : reply.type('text/html; charset=utf-8').send(page);
      };
      scope.get('/', { prefixTrailingSlash: 'slash' }, sendPage);
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
      scope.setNotFoundHandler(async (request, reply) =>
        isPageRoute(request) ? sendPage(request, reply) : answerMissing(request, reply),
      );
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

const routes: ReadonlySet<string> = new Set(pageRoutes);

function isPageRoute(request: FastifyRequest): boolean {
  return isRead(request) && routes.has(pageRouteOf(request));
}

/** A page that begins or resumes a sign-in, and so asks for its context. */
function isSignInRoute(request: FastifyRequest): boolean {
  const route = pageRouteOf(request);
  return request.method === 'GET' && (route === '' || route === 'account/login');
}

const pageRouteOf = (request: FastifyRequest): string =>
  pathOf(request).slice('/ui/'.length).replace(/\/+$/, '');

/**
 * The answer for an address that does not exist: a browser's navigation gets the page, which shows its error page there, everything else
 * the contract's error (wire contract, "decided (2026-11-22)"). An asset is never the page: a script that turns out to be HTML fails silently.
 */
export function createMissingAnswer(page: string | undefined) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const isForReaders = isNavigation(request) && !/^\/(?:ui\/assets|api)\//.test(pathOf(request));
    if (page === undefined || !isForReaders)
      return await answerError(new ContractError('not_found'), request, reply);
    await reply.code(404).type('text/html; charset=utf-8').send(page);
  };
}

/** Browsers mark a navigation with `Sec-Fetch-Mode`; older ones, and all on plain http, with `Accept` alone. */
function isNavigation(request: FastifyRequest): boolean {
  const { accept = '', 'sec-fetch-mode': mode } = request.headers;
  return isRead(request) && (mode === undefined ? accept.includes('text/html') : mode === 'navigate');
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}

const plainPath = /^\/[\w./~-]*$/;

/** The front end's own routes, when they are asked for without `/ui`, lead to their twin there; the query is kept. */
export function registerTwins(app: FastifyInstance): void {
  for (const url of ['/', '/account/*', '/home/*']) {
    app.get(url, (request, reply) => {
      const path = pathOf(request);
      // Nothing that a browser would read as another path, or as another host, than it looks like.
      if (!plainPath.test(path) || /\/\.{0,2}\/|\/\.{1,2}$/.test(path)) return reply.callNotFound();
      return reply.redirect(`/ui${path}${queryOf(request)}`, 302);
    });
  }
}

/** `?…` as it came, or nothing; a character that no header may carry is written as a browser would. */
function queryOf(request: FastifyRequest): string {
  const at = request.url.indexOf('?');
  return at < 0 ? '' : encodeURI(request.url.slice(at)).replaceAll('%25', '%');
}
