import { join } from 'node:path';
import type { Rolldown } from 'vite';

/**
 * Puts everything that a module imports statically into one chunk, including modules shared with other chunks. By
 * default, the bundler makes a chunk for each set of steps that share a module. That gives a dozen chunks, most of
 * which the first screen would load.
 * @param except modules that are only imported for code that the build leaves out
 */
export function oneFileFor(name: string, entry: string, except: RegExp): Rolldown.CodeSplittingGroup {
  const start = join(import.meta.dirname, '..', entry);
  let needed: ReadonlySet<string> | undefined;
  return {
    debugName: name,
    name: (id, bundle) => {
      needed ??= collectImports(start, (module) =>
        (bundle.getModuleInfo(module)?.importedIds ?? []).filter((imported) => !except.test(imported)),
      );
      return needed.has(id) ? name : null;
    },
  };
}

function collectImports(start: string, importsOf: (id: string) => readonly string[]): Set<string> {
  const found = new Set<string>();
  const waiting = [start];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...importsOf(id));
  }
  return found;
}
