import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';

// Run as a program, this file creates the database in the given directory.
if (process.argv[1] === fileURLToPath(import.meta.url)) await makeDirectory(process.argv[2] ?? '');

/**
 * Creates a new embedded database; the caller holds its lock. A child process does the work, because it needs 150 MB
 * and more (measured), which the service would retain; a worker thread does not release it either.
 */
export async function createDirectory(directory: string): Promise<void> {
  removeDrafts(directory);
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), directory], {
    // The pipe closes when this process ends in any way, and then the child ends too.
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The database in ${dirname(directory)} could not be created`);
}

/** Renamed to its final name at the end, so that an interrupted process leaves only a draft. */
async function makeDirectory(directory: string): Promise<void> {
  process.stdin.on('end', () => process.exit(1)).resume();
  const draft = mkdtempSync(`${directory}.new-`);
  const pglite = await PGlite.create(draft);
  await pglite.close();
  renameSync(draft, directory);
  process.exit(0);
}

function removeDrafts(directory: string): void {
  const parent = dirname(directory);
  for (const name of readdirSync(parent)) {
    if (name.startsWith(`${basename(directory)}.new-`)) rmSync(join(parent, name), { recursive: true });
  }
}
