// The entry of every npm script: installs what is missing, then runs the script on the pinned Node.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { modules, onWindows, root, runOnPinnedNode, say } from './run-on-pinned-node.mjs';

/**
 * @typedef {Record<string, { version?: string, optional?: boolean, link?: boolean, resolved?: string }>} Packages by their folder
 * @param {string} path of a lock file
 */
function readLock(path) {
  const lock = /** @type {{ packages: Packages }} */ (JSON.parse(readFileSync(path, 'utf8')));
  return lock.packages;
}

/**
 * @param {string} path inside node_modules
 * @param {string} folder of ours
 */
function ensureLink(path, folder) {
  if (existsSync(path)) return true;
  symlinkSync(join(root, folder), path, 'junction');
  return true;
}

/** npm writes down what it has put into node_modules once it is done: installed is when that holds all that the lock file asks for. */
function isInstalled() {
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = readLock(record);
  return Object.entries(readLock(join(root, 'package-lock.json'))).every(([folder, wanted]) => {
    if (!folder.startsWith('node_modules/')) return true;
    // a folder of ours that has been added since needs its link and nothing from a registry
    if (wanted.link === true && wanted.resolved) return ensureLink(join(root, folder), wanted.resolved);
    const found = installed[folder];
    // a package for another platform stays out
    if (!found) return wanted.optional === true;
    return found.version === wanted.version;
  });
}

function installWhenNeeded() {
  if (isInstalled()) return;
  say('Installing packages (once) …');
  const npm = spawnSync(onWindows ? 'npm.cmd' : 'npm', ['ci', '--include=dev', '--include=optional'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: onWindows,
  });
  if (npm.status === 0) return;
  say('The packages could not be installed: see the lines above. `npm ci` shows the whole of it.');
  process.exit(npm.status ?? 1);
}

installWhenNeeded();
const [script = '', ...args] = process.argv.slice(2);
runOnPinnedNode(script, args);
