import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { runCommand } from './command.ts';
import { cacheFolder, root } from './root.ts';

type Name = 'web' | 'console';

const distFolderOf = (name: Name): string => join(root, name, 'dist');

/** The built front end: static files to serve as `/ui/`. */
export const distFolder = distFolderOf('web');
/** The built console of operators: static files to serve as `/console/`. */
export const consoleDistFolder = distFolderOf('console');

/**
 * Earlier builds by the hash of their sources, for all checkouts of this user: a copied or new checkout with the same
 * sources takes its build from here.
 */
const keptBuilds = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'anteroom', 'front-end');
const keptBuildsAtMost = 12;

/** The inputs of each build; a change to any of them makes the build stale. */
const inputs: Readonly<Record<Name, readonly string[]>> = {
  web: [
    'package.json',
    'web/index.html',
    'web/vite.config.ts',
    'web/vite/**',
    'web/public/**',
    'web/src/**',
    'web/package.json',
    'contract/src/**',
    'tsconfig.base.json',
    'package-lock.json',
  ],
  console: [
    'package.json',
    'console/index.html',
    'console/vite.config.ts',
    'console/src/**',
    'console/package.json',
    'web/src/cookies.ts',
    'web/src/i18n/**',
    'web/src/ui/*.css',
    'web/vite/precompress.ts',
    'contract/src/**',
    'tsconfig.base.json',
    'package-lock.json',
  ],
};

/** Tests are not part of the build. */
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

/** The hash of the inputs in a checkout. It does not depend on the checkout's place or on the times of its files. */
export function hashInputs(name: Name, checkout = root): string {
  // another Node compresses differently
  const hash = createHash('sha256').update(process.version);
  const files = globSync(inputs[name], { cwd: checkout, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(checkout, join(entry.parentPath, entry.name)))
    .filter((path) => !isTest(path))
    .toSorted();
  for (const path of files)
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(checkout, path)))
      .update('\0');
  return hash.digest('hex');
}

const stampOf = (name: Name): string => join(cacheFolder, `${name}-build`);

/** Whether the folder was built from sources with this hash. */
function isBuilt(name: Name, hash: string): boolean {
  const stamp = stampOf(name);
  return (
    existsSync(join(distFolderOf(name), 'index.html')) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === hash
  );
}

/**
 * Replaces a built folder by what `fill` writes into the given folder. It is renamed at the end, so that two commands
 * can do this at once and no half-built front end is ever served.
 */
async function replaceDist(
  name: Name,
  hash: string,
  fill: (folder: string) => void | Promise<void>,
): Promise<void> {
  const target = distFolderOf(name);
  const fresh = join(cacheFolder, `${name}-${process.pid}`);
  const old = `${fresh}-old`;
  const freshStamp = `${stampOf(name)}-${process.pid}`;
  mkdirSync(cacheFolder, { recursive: true });
  try {
    await fill(fresh);
    if (existsSync(target)) renameSync(target, old);
    renameSync(fresh, target);
  } catch (error) {
    // a parallel command has already created the same build
    const isThere = error instanceof Error && 'code' in error && existsSync(join(target, 'index.html'));
    if (!isThere) throw error;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
  writeFileSync(freshStamp, hash);
  renameSync(freshStamp, stampOf(name));
}

const keptBuildOf = (name: Name, hash: string): string => join(keptBuilds, `${name}-${hash}`);

/** Keeps a build for other checkouts, and removes the oldest builds. */
function keepBuild(name: Name, hash: string): void {
  const kept = keptBuildOf(name, hash);
  const draft = `${kept}-${process.pid}`;
  try {
    cpSync(distFolderOf(name), draft, { recursive: true });
    rmSync(kept, { recursive: true, force: true });
    renameSync(draft, kept);
    const builds = readdirSync(keptBuilds)
      .map((entry) => join(keptBuilds, entry))
      .map((path) => ({ path, builtMs: statSync(path).mtimeMs }))
      .toSorted((one, other) => other.builtMs - one.builtMs);
    for (const { path } of builds.slice(keptBuildsAtMost)) rmSync(path, { recursive: true, force: true });
  } catch {
    // Without a writable home folder, or if another command does the same, each checkout builds for itself.
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Builds a folder. Throws with the build's output if it fails. */
async function build(name: Name): Promise<void> {
  const hash = hashInputs(name);
  const sources = join(root, name);
  await replaceDist(name, hash, async (folder) => {
    const { exitCode, output } = await runCommand(
      'vite',
      ['build', '--outDir', relative(sources, folder), '--emptyOutDir', '--logLevel', 'warn'],
      { folder: sources },
    );
    if (exitCode !== 0) throw new Error(`The folder ${name} could not be built:\n${output}`);
  });
  // the sources may have changed during the build
  if (hashInputs(name) === hash) keepBuild(name, hash);
}

/** Makes a built folder the build of the current sources; returns whether that needed a build. */
async function buildWhenStale(name: Name): Promise<boolean> {
  const hash = hashInputs(name);
  if (isBuilt(name, hash)) return false;
  const kept = keptBuildOf(name, hash);
  if (!existsSync(kept)) {
    await build(name);
    return true;
  }
  await replaceDist(name, hash, (folder) => cpSync(kept, folder, { recursive: true }));
  return false;
}

/** Builds `web/dist` and `console/dist`. */
export async function buildFrontEnd(): Promise<void> {
  await build('web');
  await build('console');
}

/** Makes both folders the builds of the current sources; returns whether that needed a build. */
export async function buildFrontEndWhenStale(): Promise<boolean> {
  const isWebBuilt = await buildWhenStale('web');
  return (await buildWhenStale('console')) || isWebBuilt;
}
