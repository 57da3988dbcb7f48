import { join } from 'node:path';
import type { Rolldown } from 'vite';

/**
 * One file for everything that some modules need at once, whoever else needs it too. The bundler's own way is one file for each set of steps
 * that share something, a dozen in all, and the first screen would ask for most of them.
 */
export function oneFileFor(name: string, ...entries: string[]): Rolldown.CodeSplittingGroup {
  const paths = entries.map((entry) => join(import.meta.dirname, '..', entry));
  let needed: ReadonlySet<string> | undefined;
  return {
    debugName: name,
    name: (id, bundle) => {
      needed ??= collectImports(paths, (module) => bundle.getModuleInfo(module)?.importedIds ?? []);
      return needed.has(id) ? name : null;
    },
  };
}

function collectImports(
  starts: readonly string[],
  importsOf: (id: string) => readonly string[],
): Set<string> {
  const found = new Set<string>();
  const waiting = [...starts];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...importsOf(id));
  }
  return found;
}
