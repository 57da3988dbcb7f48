import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built front end; `FRONT_END_FOLDER` names a build that lies elsewhere. */
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
  contentType: string;
  /** Set when the content is the build's own compressed form. */
  contentEncoding?: 'br';
  content: Buffer;
}

/**
 * The file of the build that belongs to a path under `/ui/`, or the page itself: any other path is one of the application's
 * own. A missing asset is missing, so that a stale chunk is noticed. `acceptsBrotli` as every browser does on this machine.
 */
export function findStaticFile(path: string, acceptsBrotli: boolean): StaticFile | undefined {
  const file = join(distFolder, normalize(decodeURIComponent(path.slice('/ui'.length))));
  if (file !== distFolder && !file.startsWith(distFolder + sep)) return undefined;
  if (existsSync(file) && statSync(file).isFile()) return read(file, acceptsBrotli);
  return path.startsWith('/ui/assets/') ? undefined : read(join(distFolder, 'index.html'), acceptsBrotli);
}

function read(file: string, acceptsBrotli: boolean): StaticFile {
  const contentType = contentTypes[extname(file)] ?? 'application/octet-stream';
  return acceptsBrotli && existsSync(`${file}.br`)
    ? { contentType, contentEncoding: 'br', content: readFileSync(`${file}.br`) }
    : { contentType, content: readFileSync(file) };
}
