import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runCommand } from '../command.ts';
import { findFreePort } from '../start/ports.ts';

/** A PostgreSQL server for one test run. */
export interface TemporaryPostgres {
  url: string;
  /** The data directory, for PostgreSQL's programs. */
  data: string;
  stop: () => Promise<void>;
  /** Stops the server like a crash, without notice to its standby or clients. */
  crash: () => Promise<void>;
}

/** Finds a PostgreSQL program on this system; undefined if it is not installed. */
export function findPostgresProgram(name: string): string | undefined {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed(),
  ];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** Finds a user to run PostgreSQL, which refuses to run as root: the system's user `postgres`, or `nobody`. */
export async function findUnprivilegedUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const uid = await runCommand('id', ['-u', name]);
    const gid = await runCommand('id', ['-g', name]);
    if (uid.exitCode === 0 && gid.exitCode === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  return undefined;
}

/**
 * Starts a server in its own folder on a free port. With `standbyOf`, it is a standby of the server at that URL.
 * Undefined if PostgreSQL is not installed.
 */
export async function startTemporaryPostgres(standbyOf?: string): Promise<TemporaryPostgres | undefined> {
  const program = findPostgresProgram('postgres');
  const initdb = findPostgresProgram('initdb');
  if (program === undefined || initdb === undefined) return undefined;
  const user = await findUnprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-postgres-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const options = { cwd: folder, ...user };
  const data = join(folder, 'data');

  const [maker, making] =
    standbyOf === undefined
      ? [initdb, ['--username=anteroom', '--auth=trust', '--encoding=UTF8', '--locale=C']]
      : [
          findPostgresProgram('pg_basebackup') ?? 'pg_basebackup',
          ['--dbname', standbyOf, '--write-recovery-conf', '--checkpoint=fast'],
        ];
  const made = spawn(maker, ['--pgdata', data, '--no-sync', ...making], {
    ...options,
    stdio: 'ignore',
  });
  await exitOf(made, maker);

  const port = await findFreePort();
  // no durable writes, because test data need not survive a power failure
  const fast = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  const server = spawn(
    program,
    [
      '-D',
      data,
      '-p',
      String(port),
      '-c',
      'listen_addresses=localhost',
      '-c',
      `unix_socket_directories=${folder}`,
      ...fast.flatMap((setting) => ['-c', setting]),
    ],
    { ...options, stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) => server.on('close', () => resolve()));
  // a test run that is stopped does not stop its server
  const endWithProcess = (): void => void server.kill('SIGQUIT');
  process.on('exit', endWithProcess);
  server.on('close', () => process.off('exit', endWithProcess));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    server.kill(signal);
    await ended;
  };
  const stop = async (): Promise<void> => {
    // SIGINT requests PostgreSQL's fast shutdown
    await end('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  };
  while (!isReady(data)) {
    if (server.exitCode !== null) throw new Error('PostgreSQL stopped while it was starting.');
    await wait(50);
  }
  // SIGQUIT requests an immediate shutdown: data not yet written to disk is lost
  const crash = async (): Promise<void> => end('SIGQUIT');
  return { url: `postgres://anteroom@localhost:${port}/postgres`, data, stop, crash };
}

async function exitOf(process: ChildProcess, name: string): Promise<void> {
  const code = await new Promise((resolve) => {
    process.on('error', resolve);
    process.on('close', resolve);
  });
  if (code !== 0) throw new Error(`${name} failed (${String(code)}).`);
}

/** Whether the server is ready, which is more than listening: the last line of `postmaster.pid` has its state. */
function isReady(data: string): boolean {
  const file = join(data, 'postmaster.pid');
  return existsSync(file) && /(?:ready|standby)\s*$/.test(readFileSync(file, 'utf8'));
}
