import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';

// Run as a program, this file makes the database that its argument names.
if (process.argv[1] === fileURLToPath(import.meta.url)) await makeDirectory(process.argv[2] ?? '');

/**
 * Makes a new embedded database; the caller holds the lock on it.
 *
 * A process of its own does the work, because what it needs (150 MB and more, measured) would stay with the service for as
 * long as it runs; a thread does not give it back either.
 */
export async function createDirectory(directory: string): Promise<void> {
  removeDrafts(directory);
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), directory], {
    // The pipe closes however this process ends, and the other one then ends too.
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The database in ${dirname(directory)} could not be made`);
}

/** It appears whole, under its own name at the end: whoever is ended meanwhile leaves a draft and nothing else. */
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
