import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runCommand } from './command.ts';
import { cacheFolder, root } from './root.ts';

/** The built front end: static files to serve as `/ui/`. */
export const distFolder = join(root, 'web', 'dist');

const stamp = join(cacheFolder, 'web-build');

/** The inputs of the build; a change to any of them makes the build stale. */
const inputs = [
  'web/index.html',
  'web/vite.config.ts',
  'web/vite/**',
  'web/public/**',
  'web/src/**',
  'web/package.json',
  'contract/src/**',
  'tsconfig.base.json',
  'package-lock.json',
];

/** Tests are not part of the build. */
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

function hashInputs(): string {
  const hash = createHash('sha256');
  const files = globSync(inputs, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !isTest(path))
    .toSorted();
  for (const path of files) hash.update(path).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

/** Whether `web/dist` was built from the current sources. */
export function isFrontEndFresh(): boolean {
  return (
    existsSync(join(distFolder, 'index.html')) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === hashInputs()
  );
}

/**
 * Builds `web/dist`. Throws with the build's output if it fails. The build is written to a separate folder and then
 * renamed, so that two commands can build at once and no half-built front end is ever served.
 */
export async function buildFrontEnd(): Promise<void> {
  const hash = hashInputs();
  const web = join(root, 'web');
  const fresh = join(cacheFolder, `front-end-${process.pid}`);
  const old = `${fresh}-old`;
  try {
    const { exitCode, output } = await runCommand(
      'vite',
      ['build', '--outDir', relative(web, fresh), '--emptyOutDir', '--logLevel', 'warn'],
      { folder: web },
    );
    if (exitCode !== 0) throw new Error(`The front end could not be built:\n${output}`);
    if (existsSync(distFolder)) renameSync(distFolder, old);
    renameSync(fresh, distFolder);
  } catch (error) {
    // a parallel command has already created the same build
    const isThere = error instanceof Error && 'code' in error && existsSync(join(distFolder, 'index.html'));
    if (!isThere) throw error;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}

/** Builds `web/dist` if it is stale; returns whether it was. */
export async function buildFrontEndWhenStale(): Promise<boolean> {
  if (isFrontEndFresh()) return false;
  await buildFrontEnd();
  return true;
}
