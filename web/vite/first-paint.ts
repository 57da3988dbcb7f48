import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

const stylesheet = /\s*<link rel="stylesheet"[^>]*>/g;

/**
 * Moves the stylesheets in the HTML from the head, where they would block the first paint, to the end of the body,
 * where they block only the application, which waits for them before it runs (HTML standard, "style sheet that is
 * blocking scripts"). The splash is then painted from the HTML alone.
 * Also removes the indentation of lines.
 * @param addressed modules whose files the inline script preloads, by the placeholder of their addresses in it
 */
export function firstPaint(addressed: Readonly<Record<string, readonly string[]>>): Plugin {
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
            (page, [placeholder, modules]) =>
              page.replace(placeholder, () =>
                filesOf(
                  modules.map((module) => chunkOf(join(root, module), bundle)),
                  bundle,
                )
                  .map((file) => `${base}${file}`)
                  .filter((address) => !html.includes(address))
                  .join(' '),
              ),
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

/** The files of chunks and of everything that they import statically, with their styles. */
function filesOf(chunks: readonly Rolldown.OutputChunk[], bundle: Rolldown.OutputBundle): readonly string[] {
  const files = new Set<string>();
  const add = ({ fileName, imports, viteMetadata }: Rolldown.OutputChunk): void => {
    if (files.has(fileName)) return;
    files.add(fileName);
    for (const sheet of viteMetadata?.importedCss ?? []) files.add(sheet);
    for (const imported of imports) {
      const output = bundle[imported];
      if (output?.type === 'chunk') add(output);
    }
  };
  for (const chunk of chunks) add(chunk);
  return [...files];
}
