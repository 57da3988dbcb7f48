import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { contentPolicy } from '@anteroom/identity/http/content-policy';
import { securityHeaders } from '@anteroom/identity/http/security-headers';
import type { Manifest, ManifestFile } from './manifest.ts';

/** Serves the static files of the published package `@anteroom/web` in any Node.js server. */
export interface FrontEndOptions {
  /** Where browsers reach the service, such as `https://id.example`. */
  publicUrl: string;
  /** The folder of a themed copy (`anteroom-web theme`); default: the published front end. */
  folder?: string;
  /** The content of `/ui/config.json`; if undefined, the service answers that call. */
  config?: Readonly<Record<string, unknown>>;
  /** The services of other regions that the page can call and navigate to. */
  regionOrigins?: readonly string[];
  /** Origins that the sign-out frame can load, in addition to the service. */
  signOutFrameOrigins?: readonly string[];
  /** Origins from which the page can load logos, in addition to the service. */
  logoOrigins?: readonly string[];
}

/** Answers a request for the front end. Returns false for any other request, which the service answers. */
export type FrontEnd = (request: IncomingMessage, response: ServerResponse) => boolean;

interface LoadedFile extends ManifestFile {
  content: Readonly<Record<'identity' | 'br' | 'gzip', Buffer | undefined>>;
}

const plainPath = /^\/[\w./~-]*$/;

/**
 * Serves `/ui/`, and redirects `/`, `/account/*` and `/home/*` to it (wire contract, "Where things live"). Reads the
 * files once at startup, so that no request path is used to open a file.
 */
export function createFrontEnd({
  publicUrl,
  folder = import.meta.dirname,
  config,
  ...origins
}: FrontEndOptions): FrontEnd {
  const { files: listed, routes: listedRoutes } = JSON.parse(
    readFileSync(join(folder, 'manifest.json'), 'utf8'),
  ) as Manifest;
  const files = new Map(listed.map((file) => [file.path, load(file, join(folder, 'files'))]));
  const routes = new Set(listedRoutes);
  const page = files.get('index.html');
  if (!page) throw new Error('The package has no index.html.');
  const headers = pageHeaders(page, publicUrl, origins);

  function send(request: IncomingMessage, response: ServerResponse, file: LoadedFile, status = 200): true {
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const encoding = file.encodings.find((name) => new RegExp(`\\b${name}\\b`).test(accepted)) ?? 'identity';
    response.setHeader('Vary', 'Accept-Encoding');
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    if (file.isImmutable) response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    return finish(request, response, status, file.contentType, file.content[encoding]);
  }

  return (request, response) => {
    const { pathname, search } = splitAddress(request);
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const isTwin = pathname === '/' || /^\/(?:account|home)\//.test(pathname);
    if (isTwin && (!plainPath.test(pathname) || /\/\.{0,2}\/|\/\.{1,2}$/.test(pathname))) return false;
    if (!isTwin && pathname !== '/ui' && !pathname.startsWith('/ui/')) return false;
    if (pathname === '/ui/config.json' && !config) return false;

    for (const [name, value] of headers) response.setHeader(name, value);
    if (isTwin || pathname === '/ui') {
      response.writeHead(302, { Location: `/ui${isTwin ? pathname : '/'}${search}` }).end();
      return true;
    }
    const path = pathname.slice('/ui/'.length);
    if (path === 'config.json')
      return finish(request, response, 200, 'application/json', Buffer.from(JSON.stringify(config)));
    const file = files.get(path);
    if (file) return send(request, response, file);
    if (routes.has(path.replace(/\/+$/, ''))) return send(request, response, page);
    if (isNavigation(request) && !path.startsWith('assets/')) return send(request, response, page, 404);
    return finish(request, response, 404, 'application/json', Buffer.from('{"code":"not_found"}'));
  };
}

/** Middleware for Express (`app.use(expressFrontEnd(…))`) and for frameworks with the same three arguments. */
export function expressFrontEnd(
  options: FrontEndOptions,
): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  const answer = createFrontEnd(options);
  return (request, response, next) => {
    if (!answer(request, response)) next();
  };
}

/** A plugin for Fastify: `app.register(fastifyFrontEnd(…))`. */
export function fastifyFrontEnd(
  options: FrontEndOptions,
): (app: { addHook: (name: 'onRequest', hook: never) => unknown }) => Promise<void> {
  const answer = createFrontEnd(options);
  type Reply = { raw: ServerResponse; hijack: () => unknown };
  const hook = async ({ raw }: { raw: IncomingMessage }, reply: Reply): Promise<void> => {
    if (answer(raw, reply.raw)) reply.hijack();
    return Promise.resolve();
  };
  const plugin = async (app: { addHook: (name: 'onRequest', hook: never) => unknown }): Promise<void> => {
    app.addHook('onRequest', hook as never);
    return Promise.resolve();
  };
  // Tells Fastify that the plugin's hooks apply to the whole application.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true });
}

function load(file: ManifestFile, folder: string): LoadedFile {
  const read = (ending: string): Buffer => readFileSync(join(folder, `${file.path}${ending}`));
  const find = (encoding: 'br' | 'gzip', ending: string): Buffer | undefined =>
    file.encodings.includes(encoding) ? read(ending) : undefined;
  const content = {
    identity: read(''),
    br: find('br', '.br'),
    gzip: find('gzip', '.gz'),
  };
  return { ...file, content };
}

/** Removes the report address from the content security policy, because that call is not part of the contract. */
function pageHeaders(
  page: LoadedFile,
  publicUrl: string,
  {
    regionOrigins = [],
    signOutFrameOrigins = [],
    logoOrigins = [],
  }: Omit<FrontEndOptions, 'publicUrl' | 'folder' | 'config'>,
): [string, string][] {
  const policy = contentPolicy({
    page: page.content.identity?.toString(),
    regionOrigins,
    signOutFrameOrigins,
    logoOrigins,
  });
  const withoutReports = policy.split('; ').filter((directive) => !directive.startsWith('report-'));
  const headers = securityHeaders({ contentPolicy: withoutReports.join('; '), publicUrl });
  return Object.entries(headers).filter(([name]) => name !== 'reporting-endpoints');
}

/** Uses `originalUrl` if present, because Express changes `url` when the middleware is mounted below a path. */
function splitAddress(request: IncomingMessage & { originalUrl?: string }): {
  pathname: string;
  search: string;
} {
  const address = request.originalUrl ?? request.url ?? '/';
  const at = address.indexOf('?');
  return at < 0
    ? { pathname: address, search: '' }
    : { pathname: address.slice(0, at), search: address.slice(at) };
}

/**
 * Browsers mark a navigation with `Sec-Fetch-Mode`; older browsers, and all browsers on plain http, only with `Accept`.
 */
function isNavigation({ headers }: IncomingMessage): boolean {
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate';
}

function finish(
  { method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  contentType: string,
  content: Buffer | undefined,
): true {
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': content?.length ?? 0 });
  response.end(method === 'HEAD' ? undefined : content);
  return true;
}
