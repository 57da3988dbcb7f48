import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../command.ts';
import { root } from '../root.ts';
import type { StageResult } from '../stage.ts';

/** The packages of the workspace, and the scripts beside them. */
function packages(): string[] {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
  // what the gallery's page runs knows a document and no Node
  return [...manifest.workspaces, 'testkit/src/gallery/page', 'tools'].filter((name) =>
    existsSync(join(root, name, 'tsconfig.json')),
  );
}

/**
 * Type-checks every package on its own: `tsc -b --noEmit` with references is refused (TS6310), and one run per package
 * takes about a quarter of a second.
 */
export async function checkTypes(): Promise<StageResult> {
  const waiting = packages();
  const count = waiting.length;
  const faults: string[] = [];
  const worker = async (): Promise<void> => {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      const { exitCode, output } = await runCommand('tsc', ['-p', name, '--noEmit', '--pretty']);
      // a package whose sources are still to come has nothing to be wrong about
      if (exitCode !== 0 && !output.includes('TS18003')) faults.push(output);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return {
    passed: count - faults.length,
    failed: faults.length,
    note: `${count} packages`,
    output: faults.join('\n'),
  };
}
