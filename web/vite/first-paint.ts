import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

const stylesheet = /\s*<link rel="stylesheet"[^>]*>/g;

/**
 * Moves the stylesheets in the HTML from the head, where they would block the first paint, to the end of the body,
 * where they block only the application, which waits for them before it runs (HTML standard, "style sheet that is
 * blocking scripts"). The splash is then painted from the HTML alone.
 * Also removes the indentation of lines.
 * @param addressed modules whose address the inline script needs, by their placeholder in it
 */
export function firstPaint(addressed: Readonly<Record<string, string>>): Plugin {
  let root = '';
  let base = '';
  return {
    name: 'anteroom:first-paint',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      base = config.base;
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const sheets = html.match(stylesheet) ?? [];
        return Object.entries(addressed)
          .reduce(
            (page, [placeholder, module]) =>
              page.replace(placeholder, () => `${base}${chunkOf(join(root, module), bundle).fileName}`),
            html,
          )
          .replace(stylesheet, '')
          .replace('</body>', `${sheets.map((sheet) => sheet.trim()).join('')}</body>`)
          .replaceAll(/\n\s*/g, '\n');
      },
    },
  };
}

/**
 * The chunk that contains a module.
 * @throws if there is none
 */
export function chunkOf(module: string, bundle: Rolldown.OutputBundle): Rolldown.OutputChunk {
  for (const output of Object.values(bundle))
    if (output.type === 'chunk' && output.moduleIds.includes(module)) return output;
  throw new Error(`${module} is in no chunk`);
}
