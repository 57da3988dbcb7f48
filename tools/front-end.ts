import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runCommand } from './command.ts';
import { cacheFolder, root } from './root.ts';

/** The built front end: static files whose root is served as `/ui/`. */
export const distFolder = join(root, 'web', 'dist');

const stamp = join(cacheFolder, 'web-build');

/** Everything that the build reads; a file that changes here makes the build stale. */
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

/** Tests are no part of what is served. */
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

/** Whether `web/dist` is the build of the sources as they are now. */
export function isFrontEndFresh(): boolean {
  return (
    existsSync(join(distFolder, 'index.html')) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === hashInputs()
  );
}

/**
 * Builds `web/dist`. Throws with everything the build said when it fails.
 * The build is made beside the old one and takes its place when it is whole: two commands may build at once, and nobody ever
 * serves half a front end.
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
    // another command has put the same build there in the meantime
    const isThere = error instanceof Error && 'code' in error && existsSync(join(distFolder, 'index.html'));
    if (!isThere) throw error;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}

/** Builds `web/dist` unless it is fresh; says whether it built. */
export async function buildFrontEndWhenStale(): Promise<boolean> {
  if (isFrontEndFresh()) return false;
  await buildFrontEnd();
  return true;
}
