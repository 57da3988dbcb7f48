// Runs a script of the checkout with the pinned Node, without installing or writing anything: production starts
// through this file. Plain JavaScript for Node 18 or later, because it finds the right Node first.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 24;
export const onWindows = process.platform === 'win32';
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const modules = join(root, 'node_modules');

/** @param {string} text */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** The pinned Node if its platform package exists, else the current Node if it is recent enough. */
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

/**
 * The ids of the parent processes: the shell, and npm, which has started the shell.
 * @returns {string}
 */
function ancestry() {
  const shell = `/proc/${process.ppid}/stat`;
  if (!existsSync(shell)) return String(process.ppid);
  // "pid (command) state parent …", where the command can contain any character
  const [, npm] = readFileSync(shell, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return `${process.ppid} ${npm}`;
}

/**
 * Starts the script, passes signals on to it, and exits with its exit code.
 * @param {string} script from the root of the checkout
 * @param {readonly string[]} args
 */
export function runOnPinnedNode(script, args) {
  const node = findNode();
  const child = spawn(node, [join(root, script), ...args], {
    cwd: root,
    // the IPC channel closes when this process ends, even by kill -9, so that the child can stop
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PATH: [dirname(node), join(modules, '.bin'), process.env.PATH ?? ''].join(delimiter),
    },
  });
  /** @type {NodeJS.Signals[]} */
  const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of passedOn) process.on(signal, () => child.kill(signal));

  // A signal to npm alone, such as kill -9, does not reach this process, so it checks whether npm still runs.
  if (process.env['npm_lifecycle_event']) {
    const started = ancestry();
    setInterval(() => {
      if (ancestry() !== started) child.kill('SIGTERM');
    }, 500).unref();
  }
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
