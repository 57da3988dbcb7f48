import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

/**
 * The groups of texts that few sign-ins need. A group with keys that the wire contract names is never one of them: the
 * contract promises its keys in the locale file itself.
 */
export const lateGroups: readonly string[] = [
  'recovery',
  'authenticator',
  'account',
  'accounts',
  'passkey',
  'secondFactor',
  'selectSite',
  'passwordRequired',
  'passwordChange',
  'logout',
  'loggedOut',
  'sampleDestination',
  'version',
  'noscript',
];

/**
 * Moves the late groups from each locale file of the build into separate files, `assets/i18n/<group>/<locale file>`.
 * The source files stay whole.
 */
export function splitTexts(): Plugin {
  let folder = '';
  return {
    name: 'anteroom:split-texts',
    apply: 'build',
    configResolved(config) {
      folder = join(resolve(config.root, config.build.outDir), 'assets/i18n');
    },
    closeBundle() {
      for (const group of lateGroups) mkdirSync(join(folder, group), { recursive: true });
      for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
        const all = Object.entries(JSON.parse(readFileSync(join(folder, name), 'utf8')) as object);
        const write = (path: string, isIncluded: (group: string) => boolean): void =>
          writeFileSync(
            join(folder, path, name),
            JSON.stringify(Object.fromEntries(all.filter(([group]) => isIncluded(group)))),
          );
        write('', (group) => !lateGroups.includes(group));
        for (const late of lateGroups) write(late, (group) => group === late);
      }
    },
  };
}
