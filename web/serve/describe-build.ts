import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { contractVersion } from '@anteroom/contract';
import { pageRoutes } from '@anteroom/contract/page-routes';
import type { Manifest, ManifestFile } from './manifest.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
};

/** The manifest of the static files in a folder. */
export function describeBuild(folder: string, version: string): Manifest {
  const names = new Set(
    globSync('**/*', { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      ),
  );
  const files = [...names]
    .filter((path) => !/\.(?:br|gz)$/.test(path))
    .toSorted()
    .map((path): ManifestFile => {
      const content = readFileSync(join(folder, path));
      const contentType = contentTypes[extname(path)];
      if (contentType === undefined) throw new Error(`The content type of ${path} is unknown.`);
      return {
        path,
        contentType,
        bytes: content.length,
        integrity: `sha256-${createHash('sha256').update(content).digest('base64')}`,
        encodings: [
          ...(names.has(`${path}.br`) ? (['br'] as const) : []),
          ...(names.has(`${path}.gz`) ? (['gzip'] as const) : []),
        ],
        isImmutable: path.startsWith('assets/app/'),
      };
    });
  return { version, contractVersion, routes: pageRoutes, files };
}
