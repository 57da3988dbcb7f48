import { join } from 'node:path';
import type { Plugin } from 'vite';

const stylesheet = /\s*<link rel="stylesheet"[^>]*>/g;

/**
 * Orders what the HTML asks for. Stylesheets go from the head, where they would hold back the first paint, to the end of the body: there
 * they hold back only the application, which waits for them before it runs (HTML standard, "style sheet that is blocking scripts").
 * So the splash is painted by the bytes of the HTML alone.
 * Lines lose their indentation: it is for who writes the page.
 * The modules named here are imported dynamically at the very start; the HTML asks for them with the others instead of after them.
 * @param addressed modules whose address the inline script knows, by what stands there for it
 */
export function firstPaint(
  neededAtOnce: readonly string[],
  addressed: Readonly<Record<string, string>> = {},
): Plugin {
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
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const modules = new Set<string>();
        const styles = new Set<string>();
        const want = (fileName: string): void => {
          const chunk = chunks.find((candidate) => candidate.fileName === fileName);
          if (!chunk || modules.has(fileName)) return;
          modules.add(fileName);
          chunk.viteMetadata?.importedCss.forEach((file) => styles.add(file));
          chunk.imports.forEach(want);
        };
        const fileOf = (module: string): string => {
          const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(join(root, module)));
          if (!chunk) throw new Error(`${module} is in no chunk`);
          return chunk.fileName;
        };
        neededAtOnce.map(fileOf).forEach(want);
        const isNew = (address: string): boolean => !html.includes(`"${address}"`);
        const addresses = (files: ReadonlySet<string>): string[] =>
          [...files].map((file) => `${base}${file}`).filter(isNew);
        const preloads = addresses(modules).map(
          (address) => `<link rel="modulepreload" crossorigin href="${address}">`,
        );
        const sheets = [
          ...(html.match(stylesheet) ?? []),
          ...addresses(styles).map((address) => `<link rel="stylesheet" href="${address}">`),
        ];
        return Object.entries(addressed)
          .reduce(
            (page, [placeholder, module]) => page.replace(placeholder, () => `${base}${fileOf(module)}`),
            html,
          )
          .replace(stylesheet, '')
          .replace('</head>', `${preloads.join('')}</head>`)
          .replace('</body>', `${sheets.map((sheet) => sheet.trim()).join('')}</body>`)
          .replaceAll(/\n\s*/g, '\n');
      },
    },
  };
}
