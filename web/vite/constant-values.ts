import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/**
 * Replaces a module of constants with their computed values. A bundler cannot compute a column of a table, and would
 * keep the whole table.
 */
export function constantValues(file: RegExp): Plugin {
  return {
    name: 'anteroom:constant-values',
    apply: 'build',
    transform: {
      filter: { id: file },
      async handler(_code, id) {
        const values = (await import(pathToFileURL(id).href)) as Record<string, unknown>;
        const lines = Object.entries(values).map(
          ([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
        );
        return { code: lines.join('\n'), map: null };
      },
    },
  };
}

/** The table of languages, from which the page reads some columns. */
export const languageTable = (): Plugin =>
  constantValues(/[\\/]contract[\\/]src[\\/]language(?:s|-names)\.ts$/);
