import type { Plugin } from 'vite';

/**
 * What a dynamic import becomes: the module and its styles, fetched side by side. Vite's own wrapper also preloads modules, which
 * the steps fetch ahead by themselves, and weighs 0.8 kB (brotli) where this is 0.2.
 * A stylesheet that could not be fetched fails the import and is asked for anew the next time.
 */
export function lightImports(): Plugin {
  let base = '/';
  return {
    name: 'anteroom:light-imports',
    apply: 'build',
    enforce: 'pre',
    configResolved(config) {
      base = config.base;
    },
    load: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => `
        const sheets = new Map();
        const addSheet = (file) => {
          if (!sheets.has(file)) sheets.set(file, new Promise((resolve, reject) => {
            const link = document.createElement('link');
            link.rel = 'stylesheet';
            link.href = '${base}' + file;
            link.onload = resolve;
            link.onerror = () => {
              link.remove();
              sheets.delete(file);
              reject(new Error(link.href));
            };
            document.head.append(link);
          }));
          return sheets.get(file);
        };
        export const __vitePreload = (load, sheetFiles = []) =>
          Promise.all([load(), ...sheetFiles.map(addSheet)]).then(([module]) => module);`,
    },
  };
}
