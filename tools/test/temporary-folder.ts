import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'anteroom-test-';

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates the temporary folder of a test run, which is removed when this process exits. Also removes the folders of runs
 * that were killed.
 */
export function createTemporaryFolder(parent = tmpdir()): string {
  for (const name of readdirSync(parent)) {
    const processId = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]);
    if (processId > 0 && !isAlive(processId)) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  // PostgreSQL runs as another user
  chmodSync(folder, 0o755);
  // retries while the last processes of the run end
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}
