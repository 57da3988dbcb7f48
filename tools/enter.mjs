// The entry point of every npm script: installs missing packages, then runs the script with the pinned Node.
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
 * @param {string} folder of the workspace
 */
function ensureLink(path, folder) {
  if (existsSync(path)) return true;
  symlinkSync(join(root, folder), path, 'junction');
  return true;
}

/**
 * Whether the installation is complete: npm's record of installed packages, written when it finishes, contains
 * everything in the lock file.
 */
function isInstalled() {
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = readLock(record);
  return Object.entries(readLock(join(root, 'package-lock.json'))).every(([folder, wanted]) => {
    if (!folder.startsWith('node_modules/')) return true;
    // a new workspace needs only a link, and no download
    if (wanted.link === true && wanted.resolved) return ensureLink(join(root, folder), wanted.resolved);
    const found = installed[folder];
    // packages for other platforms are not installed
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
  say('The packages could not be installed: see the output above. `npm ci` shows the complete output.');
  process.exit(npm.status ?? 1);
}

// The bundler reads these characters in the path of a file as the parts of an address.
const [badCharacter] = /[#%?]/.exec(root) ?? [];
if (badCharacter !== undefined) {
  say(
    `The front end cannot be built in ${root}, because of the ${badCharacter} in this path: move the folder.`,
  );
  process.exit(1);
}
installWhenNeeded();
const [script = '', ...args] = process.argv.slice(2);
runOnPinnedNode(script, args);
