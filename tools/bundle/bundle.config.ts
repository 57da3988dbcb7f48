// The configuration of rolldown for `npm run release`, which runs it in the folder of the release.
import { join, relative } from 'node:path';

const release = process.cwd();
const target = join(release, 'identity', 'dist');

/**
 * Keeps the addresses of data files, which modules compute from their own place: the release has these files where the
 * sources have them. Also makes the bundler see what a module loads with `require`.
 */
const keepAddresses = {
  name: 'keep-addresses',
  transform(code: string, file: string): { code: string; map: null } | undefined {
    const source = relative(release, file);
    if (!/^(?:identity|contract|verify)\/src\//.test(source)) return undefined;
    const bundled = code
      .replace(/^const require = createRequire\(import\.meta\.url\);$/m, '')
      .replace(/new URL\('([^']+)', import\.meta\.url\)/g, (_, address: string) => {
        const place = join(release, source, '..', address);
        return `new URL(${JSON.stringify(relative(target, place))}, import.meta.url)`;
      });
    const others = bundled.replaceAll(/new URL\("[^"]+", import\.meta\.url\)/g, '');
    if (/import\.meta\.(?:url|dirname|resolve)/.test(others))
      throw new Error(`${source} uses import.meta in a way that the release does not support`);
    if (bundled === code) return undefined;
    return { code: bundled, map: null };
  },
};

export default {
  input: {
    main: 'identity/src/main.ts',
    cli: 'identity/src/cli/main.ts',
    'verify-service': 'verify/src/main.ts',
  },
  // contain machine code, or files that they find from their own place
  external: [/^@node-rs\//, /^@electric-sql\/pglite/],
  platform: 'node',
  plugins: [keepAddresses],
  output: {
    dir: target,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    // all files in one folder, from which the addresses start
    chunkFileNames: '[name]-[hash].js',
  },
};
