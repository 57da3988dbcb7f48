import { sep } from 'node:path';
import { pageRoutes } from '@anteroom/contract/page-routes';
import type { FastifyStaticOptions } from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readBuiltPage } from './built-pages.ts';
import { answerError } from './error-handler.ts';
import { ContractError } from './errors.ts';
import { createPageAnswers, findAnsweredPage } from './page-answers.ts';

/** The build adds a content hash to the name of every file in this folder. */
const hashedAssets = `${sep}assets${sep}app${sep}`;

/**
 * The files of a build, which are compressed already. They keep the service's own `no-store`, except for those of the
 * folder whose file names contain a content hash.
 */
export const filesOf = (root: string, hashedFolder: string): FastifyStaticOptions => ({
  root,
  prefix: '/',
  preCompressed: true,
  index: false,
  dotfiles: 'ignore',
  cacheControl: false,
  lastModified: false,
  setHeaders: (reply, file) => {
    if (file.includes(hashedFolder)) reply.header('cache-control', 'public, max-age=31536000, immutable');
  },
});

/**
 * Serves the built front end under `/ui/`: its files, precompressed and with a long cache time if their name has a hash,
 * and the page for each of its routes.
 */
export async function registerStaticFiles(
  app: FastifyInstance,
  webDist: string,
  config: Parameters<typeof createPageAnswers>[2],
): Promise<void> {
  // imported here, because a service without the front end does not need it
  const { default: fastifyStatic } = await import('@fastify/static');
  const answerMissing = createMissingAnswer(readBuiltPage(webDist));
  app.get('/ui', (request, reply) => reply.redirect(`/ui/${queryOf(request)}`, 302));
  await app.register(
    async (scope) => {
      // Folders and invalid encodings, which the framework rejects, get the response for a missing file.
      scope.setErrorHandler((error, request, reply) =>
        isRefusal(error) ? answerMissing(request, reply) : answerError(error, request, reply),
      );
      const findAnswers = createPageAnswers(app, webDist, config);
      const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
        const answered = request.method === 'GET' ? findAnsweredPage(pageRouteOf(request)) : undefined;
        const page = answered && (await findAnswers(request, reply, answered));
        return page === undefined
          ? reply.sendFile('index.html')
          : reply.type('text/html; charset=utf-8').send(page);
      };
      scope.get('/', { prefixTrailingSlash: 'slash' }, sendPage);
      await scope.register(fastifyStatic, filesOf(webDist, hashedAssets));
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

const pageRouteOf = (request: FastifyRequest): string =>
  pathOf(request).slice('/ui/'.length).replace(/\/+$/, '');

/**
 * The response for an unknown URL: a navigation gets the page, which shows its error screen. Any other request gets the
 * contract's error (wire contract, "decided (2026-11-22)"), also a request for a missing asset, because HTML instead of
 * a script would fail silently.
 */
export function createMissingAnswer(page: string | undefined) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const isForReaders = isNavigation(request) && !/^\/(?:ui\/assets|api)\//.test(pathOf(request));
    if (page === undefined || !isForReaders)
      return await answerError(new ContractError('not_found'), request, reply);
    await reply.code(404).type('text/html; charset=utf-8').send(page);
  };
}

/**
 * Whether the request is a navigation. Browsers mark it with `Sec-Fetch-Mode`; older browsers, and all browsers on
 * plain http, only with `Accept`.
 */
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

/** Redirects the front end's routes without `/ui` to the same route below it, with the query. */
export function registerRedirectsToPages(app: FastifyInstance): void {
  for (const url of ['/', '/account/*', '/home/*']) {
    app.get(url, (request, reply) => {
      const path = pathOf(request);
      // Excludes paths that browsers would resolve to another path or host.
      if (!plainPath.test(path) || /\/\.{0,2}\/|\/\.{1,2}$/.test(path)) return reply.callNotFound();
      return reply.redirect(`/ui${path}${queryOf(request)}`, 302);
    });
  }
}

/** The raw query with its `?`, or an empty text; characters that are invalid in headers are percent-encoded. */
function queryOf(request: FastifyRequest): string {
  const at = request.url.indexOf('?');
  return at < 0 ? '' : encodeURI(request.url.slice(at)).replaceAll('%25', '%');
}
