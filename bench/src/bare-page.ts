import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { securityHeaders } from '@anteroom/identity/http/security-headers';
import { build } from 'vite';
import { findFreePort } from '../../tools/start/ports.ts';

interface BarePage {
  url: string;
  close: () => void;
}

/** Builds the page with the bundler and the minifier of the front end. */
async function buildBarePage(): Promise<Map<string, Buffer>> {
  const output = await build({
    root: join(import.meta.dirname, '../bare-page'),
    configFile: false,
    logLevel: 'warn',
    mode: 'production',
    build: {
      write: false,
      target: 'baseline-widely-available',
      modulePreload: false,
      minify: 'terser',
      terserOptions: { module: true, ecma: 2020, compress: { passes: 4 } },
    },
  });
  if (!('output' in output)) throw new Error('The bare page gave no bundle');
  return new Map(
    output.output.map((file) => [
      `/${file.fileName}`,
      brotliCompressSync(file.type === 'chunk' ? file.code : file.source),
    ]),
  );
}

/**
 * Serves a page with React and one input, compressed and protected like the front end: a new process of the browser,
 * which `Cross-Origin-Opener-Policy` needs, takes longer than that page.
 */
export async function startBarePage(): Promise<BarePage> {
  const files = await buildBarePage();
  const port = await findFreePort();
  const url = `http://localhost:${port}/`;
  const headers = securityHeaders({ contentPolicy: "default-src 'self'", publicUrl: url });
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    const content = files.get(path);
    const type = extname(path) === '.js' ? 'text/javascript' : 'text/html; charset=utf-8';
    response
      .writeHead(content ? 200 : 404, { ...headers, 'content-type': type, 'content-encoding': 'br' })
      .end(content ?? brotliCompressSync(''));
  });
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  return { url, close: () => server.close() };
}
