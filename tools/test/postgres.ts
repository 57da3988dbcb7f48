import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runCommand } from '../command.ts';
import { findFreePort } from '../start/ports.ts';

/** A PostgreSQL server that lives for one run of the tests. */
export interface TemporaryPostgres {
  url: string;
  stop: () => Promise<void>;
}

/** The folder of `initdb` and `postgres`, wherever the system keeps it. */
function findPrograms(): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(delimiter);
  const ofDebian = globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed();
  return [...onPath, ...ofDebian].find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  );
}

/** PostgreSQL refuses to run as root: the system's user for it, or nobody. */
async function findUnprivilegedUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const uid = await runCommand('id', ['-u', name]);
    const gid = await runCommand('id', ['-g', name]);
    if (uid.exitCode === 0 && gid.exitCode === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  return undefined;
}

/** Starts a server in a folder of its own, on a free port of this machine. Undefined where PostgreSQL is not installed. */
export async function startTemporaryPostgres(): Promise<TemporaryPostgres | undefined> {
  const programs = findPrograms();
  if (!programs) return undefined;
  const user = await findUnprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-postgres-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const options = { cwd: folder, ...user };
  const data = join(folder, 'data');

  const initdb = spawn(
    join(programs, 'initdb'),
    ['--pgdata', data, '--username=anteroom', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...options, stdio: 'ignore' },
  );
  await exitOf(initdb, 'initdb');

  const port = await findFreePort();
  // nothing that a test run writes has to outlive a power cut
  const fast = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  const server = spawn(
    join(programs, 'postgres'),
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
  const stop = async (): Promise<void> => {
    // SIGINT is PostgreSQL's fast shutdown
    server.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  while (!isReady(data)) {
    if (server.exitCode !== null) throw new Error('PostgreSQL stopped while it was starting.');
    await wait(50);
  }
  return { url: `postgres://anteroom@localhost:${port}/postgres`, stop };
}

async function exitOf(process: ChildProcess, name: string): Promise<void> {
  const code = await new Promise((resolve) => {
    process.on('error', resolve);
    process.on('close', resolve);
  });
  if (code !== 0) throw new Error(`${name} failed (${String(code)}).`);
}

/** The server writes its state into the last line of `postmaster.pid`; listening alone is not yet answering. */
function isReady(data: string): boolean {
  const file = join(data, 'postmaster.pid');
  return existsSync(file) && readFileSync(file, 'utf8').trimEnd().endsWith('ready');
}
