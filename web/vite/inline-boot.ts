import { join } from 'node:path';
import { build } from 'vite';
import type { Plugin } from 'vite';
import { languageTable } from './language-table.ts';

const placeholder = '<!-- boot -->';

/**
 * Bundles a small module into an inline script at `<!-- boot -->` in the HTML, so that the first calls are sent before
 * any script has loaded. Servers allow it by its hash (`script-src 'sha256-…'`); the same sources always give the same
 * hash.
 */
export function inlineBoot(entry: string): Plugin {
  let root = '';
  let base = '';
  let isServing = false;
  return {
    name: 'anteroom:inline-boot',
    configResolved(config) {
      root = config.root;
      base = config.base;
      isServing = config.command === 'serve';
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const path = join(root, entry);
        if (isServing) return html.replace(placeholder, `<script type="module" src="/${entry}"></script>`);
        const code = await bundleToOneScript(path, base);
        // A function, because `replace` interprets `$&` in a replacement string.
        return html.replace(placeholder, () => `<script>${code}</script>`);
      },
    },
  };
}

/** The code of a module and its imports, for a script element. */
export async function bundleToOneScript(path: string, base: string): Promise<string> {
  const output = await build({
    base,
    configFile: false,
    plugins: [languageTable()],
    logLevel: 'warn',
    build: {
      write: false,
      target: 'baseline-widely-available',
      // The same options as for the application (`vite.config.ts`).
      minify: 'terser',
      terserOptions: { ecma: 2020, safari10: false, compress: { passes: 3, unsafe_arrows: true } },
      lib: { entry: path, formats: ['iife'], name: 'boot' },
    },
  });
  const [bundle] = Array.isArray(output) ? output : [output];
  if (!bundle || !('output' in bundle)) throw new Error(`${path} gave no bundle`);
  const code = bundle.output[0].code.trim();
  if (code.includes('</script')) throw new Error(`${path} would end its own script element`);
  return code;
}
