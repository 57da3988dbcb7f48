// The front door of every script: installs what is missing, then runs the script on the pinned Node.
// Plain JavaScript that any Node since 18 can run, because it is what finds the right one.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 24;
const onWindows = process.platform === 'win32';
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');

/** @param {string} text */
function say(text) {
  process.stderr.write(`${text}\n`);
}

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

/** The pinned Node where its platform package exists, else the one that runs this, when it is new enough. */
function findNode() {
  const folder = join(modules, `node-${onWindows ? 'win' : process.platform}-${process.arch}`, 'bin');
  const pinned = join(folder, onWindows ? 'node.exe' : 'node');
  if (existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) return process.execPath;
  say(
    `Anteroom runs on Node ${NEEDED_MAJOR} or newer; this is ${process.version}, and there is no packaged Node for ${process.platform}-${process.arch}.`,
  );
  say(`Install Node ${NEEDED_MAJOR} from https://nodejs.org and run the command again.`);
  process.exit(1);
}

installWhenNeeded();
const node = findNode();
const [script = '', ...args] = process.argv.slice(2);
const child = spawn(node, [join(root, script), ...args], {
  cwd: root,
  // the fourth channel tells the child when this process is gone, even by kill -9
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: {
    ...process.env,
    PATH: [dirname(node), join(modules, '.bin'), process.env.PATH ?? ''].join(delimiter),
  },
});
/** @type {NodeJS.Signals[]} */
const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'];
for (const signal of passedOn) process.on(signal, () => child.kill(signal));

/**
 * Who started this: npm, by way of a shell.
 * @returns {string}
 */
function ancestry() {
  const shell = `/proc/${process.ppid}/stat`;
  if (!existsSync(shell)) return String(process.ppid);
  // "pid (command) state parent …", and the command may hold anything
  const [, npm] = readFileSync(shell, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return `${process.ppid} ${npm}`;
}

// A signal that reaches npm alone, kill -9 above all, ends npm and nothing else: what npm started has to notice that it is on its own.
if (process.env['npm_lifecycle_event']) {
  const started = ancestry();
  setInterval(() => {
    if (ancestry() !== started) child.kill('SIGTERM');
  }, 500).unref();
}
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
