import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/**
 * Replaces the modules with the table of languages by their computed values. A bundler cannot compute a column of a
 * table, and would keep the whole table.
 */
export function languageTable(): Plugin {
  return {
    name: 'anteroom:language-table',
    apply: 'build',
    transform: {
      filter: { id: /[\\/]contract[\\/]src[\\/]language(?:s|-names)\.ts$/ },
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
