import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import type { Plugin } from 'vite';

const place = '<!-- boot -->';

/**
 * Bundles one small module into an inline script where the HTML says `<!-- boot -->`, so that the first calls are under way before
 * any script has been fetched. A server allows it by its hash (`script-src 'sha256-…'`), which the same build always gives again.
 * Without the module the place is left out.
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
        if (!existsSync(path)) return html.replace(place, '');
        if (isServing) return html.replace(place, `<script type="module" src="/${entry}"></script>`);
        const code = await bundleToOneScript(path, base);
        // a function, because a replacement string would read `$&` in the code as a command
        return html.replace(place, () => `<script>${code}</script>`);
      },
    },
  };
}

async function bundleToOneScript(path: string, base: string): Promise<string> {
  const output = await build({
    base,
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'baseline-widely-available',
      // as the application's own files are (`vite.config.ts`)
      minify: 'terser',
      terserOptions: { ecma: 2020, compress: { passes: 3 } },
      lib: { entry: path, formats: ['iife'], name: 'boot' },
    },
  });
  const [bundle] = Array.isArray(output) ? output : [output];
  if (!bundle || !('output' in bundle)) throw new Error(`${path} gave no bundle`);
  const code = bundle.output[0].code.trim();
  if (code.includes('</script')) throw new Error(`${path} would end its own script element`);
  return code;
}
