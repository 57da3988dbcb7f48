import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../command.ts';
import { root } from '../root.ts';
import type { StageResult } from '../stage.ts';

/** The packages of the workspace, and the scripts in tools. */
function packages(): string[] {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
  // the gallery's page script has its own configuration: browser types, no Node types
  return [...manifest.workspaces, 'testkit/src/gallery/page', 'tools'].filter((name) =>
    existsSync(join(root, name, 'tsconfig.json')),
  );
}

/**
 * Type-checks each package separately: `tsc -b --noEmit` does not work with references (TS6310). A run takes about a
 * quarter of a second per package.
 */
export async function checkTypes(): Promise<StageResult> {
  const waiting = packages();
  const count = waiting.length;
  const faults: string[] = [];
  const worker = async (): Promise<void> => {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      const { exitCode, output } = await runCommand('tsc', ['-p', name, '--noEmit', '--pretty']);
      // a package without sources has no errors
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
