import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Puts one group of texts of each locale file of the build into a file of its own, `assets/i18n/<group>/<locale file>`. The sources stay
 * whole.
 */
export function splitTexts(group: string): Plugin {
  let folder = '';
  return {
    name: 'anteroom:split-texts',
    apply: 'build',
    configResolved(config) {
      folder = join(resolve(config.root, config.build.outDir), 'assets/i18n');
    },
    closeBundle() {
      mkdirSync(join(folder, group), { recursive: true });
      for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
        const { [group]: late, ...first } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<
          string,
          unknown
        >;
        writeFileSync(join(folder, name), JSON.stringify(first));
        writeFileSync(join(folder, group, name), JSON.stringify({ [group]: late }));
      }
    },
  };
}
