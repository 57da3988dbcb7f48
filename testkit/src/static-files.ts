import { pageRoutes } from '@anteroom/contract/page-routes';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built front end; `FRONT_END_FOLDER` overrides its location. */
export const distFolder =
  process.env['FRONT_END_FOLDER'] ?? fileURLToPath(new URL('../../web/dist', import.meta.url));

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
};

export interface StaticFile {
  /** 404 if the file is the page and its path is not a known route. */
  status: 200 | 404;
  contentType: string;
  /** Set if the build has compressed the content. */
  contentEncoding?: 'br';
  content: Buffer;
}

const routes: ReadonlySet<string> = new Set(pageRoutes);

/**
 * Finds the built file of a path under `/ui/`. For any other path returns the page, with status 404 if the page has no
 * such route (like `identity/src/http/static-files.ts` for a navigation). Returns undefined for a missing asset, so
 * that a stale chunk is noticed. `acceptsBrotli`: whether the request accepts Brotli, as browsers do on localhost.
 */
export function findStaticFile(path: string, acceptsBrotli: boolean): StaticFile | undefined {
  const file = join(distFolder, normalize(decodeURIComponent(path.slice('/ui'.length))));
  if (file !== distFolder && !file.startsWith(distFolder + sep)) return undefined;
  if (existsSync(file) && statSync(file).isFile()) return read(file, acceptsBrotli);
  if (path.startsWith('/ui/assets/')) return undefined;
  const route = path.slice('/ui/'.length).replace(/\/+$/, '');
  const page = read(join(distFolder, 'index.html'), acceptsBrotli);
  return { ...page, status: routes.has(route) ? 200 : 404 };
}

function read(file: string, acceptsBrotli: boolean): StaticFile {
  const contentType = contentTypes[extname(file)] ?? 'application/octet-stream';
  return acceptsBrotli && existsSync(`${file}.br`)
    ? { status: 200, contentType, contentEncoding: 'br', content: readFileSync(`${file}.br`) }
    : { status: 200, contentType, content: readFileSync(file) };
}
