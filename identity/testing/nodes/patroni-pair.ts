import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCommand } from '../../../tools/command.ts';
import { findFreePort } from '../../../tools/start/ports.ts';
import { findPostgresProgram, findUnprivilegedUser } from '../../../tools/test/postgres.ts';
import { until } from '../until.ts';
import { findProgram } from './find-program.ts';
import { waitFor } from './server-pair.ts';
import type { ServerPair } from './server-pair.ts';

/** Lists the Debian packages that the pair needs and that are not installed. */
export function packagesMissingForPatroni(): string[] {
  const packages = {
    postgresql: findPostgresProgram('pg_rewind'),
    patroni: findProgram('patroni'),
    'etcd-server': findProgram('etcd'),
  };
  return Object.entries(packages).flatMap(([name, program]) => (program === undefined ? [name] : []));
}

/** The settings that docs/high-availability.md recommends. Patroni accepts no `ttl` below 20 seconds. */
const shared = {
  ttl: 20,
  loop_wait: 2,
  retry_timeout: 5,
  primary_start_timeout: 0,
  synchronous_mode: true,
  failsafe_mode: true,
  postgresql: { use_pg_rewind: true, parameters: { wal_sender_timeout: '5s' } },
};

/** How a machine is lost; it returns by the reverse action. */
type Loss = 'dies' | 'freezes';

type Machine = {
  url: string;
  apiUrl: string;
  start: () => void;
  /** Sends a signal to Patroni and to every process of PostgreSQL. */
  signal: (signal: NodeJS.Signals) => Promise<void>;
  end: () => Promise<void>;
};

export type PatroniPair = ServerPair & {
  loseStandby: (loss: Loss) => Promise<void>;
  /** After `loseStandby`: resolves once the standby is synchronous again. */
  returnStandby: (loss: Loss) => Promise<void>;
  /** Swaps the roles of the two servers. Resolves once the new primary accepts changes. */
  switchOver: () => Promise<void>;
  freezeEtcd: () => void;
  thawEtcd: () => void;
  ttlSeconds: number;
};

/**
 * Two PostgreSQL servers, each with its Patroni, and one etcd. Patroni promotes the standby without the test's help.
 */
export async function startPairOfPatroni(loss: Loss): Promise<PatroniPair> {
  const user = await findUnprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-patroni-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const run = (program: string, args: readonly string[]): ChildProcess =>
    spawn(findProgram(program) ?? program, args, { cwd: folder, ...user, stdio: 'ignore' });

  const [etcdPort, peerPort] = [await findFreePort(), await findFreePort()];
  const [etcdUrl, peerUrl] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`];
  const etcd = run('etcd', [
    '--name=one',
    `--data-dir=${folder}/etcd`,
    '--log-level=error',
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=one=${peerUrl}`,
  ]);

  async function addMachine(name: string): Promise<Machine> {
    const [port, apiPort] = [await findFreePort(), await findFreePort()];
    const home = join(folder, name);
    mkdirSync(home);
    if (user) chownSync(home, user.uid, user.gid);
    const file = join(home, 'patroni.yaml');
    // Patroni reads YAML, of which JSON is a subset.
    writeFileSync(
      file,
      JSON.stringify({
        scope: 'anteroom',
        name,
        restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
        etcd3: { host: `127.0.0.1:${etcdPort}` },
        watchdog: { mode: 'off' },
        bootstrap: { dcs: shared, initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }] },
        postgresql: {
          listen: `localhost:${port}`,
          connect_address: `localhost:${port}`,
          data_dir: join(home, 'data'),
          bin_dir: dirname(findPostgresProgram('pg_rewind') ?? ''),
          pgpass: join(home, 'pgpass'),
          authentication: { superuser: { username: 'anteroom' }, replication: { username: 'anteroom' } },
          pg_hba: ['host all all localhost trust', 'host replication all localhost trust'],
          parameters: { unix_socket_directories: home },
        },
      }),
    );
    let patroni: ChildProcess | undefined;
    let isFrozen = false;
    const signal = async (sent: NodeJS.Signals): Promise<void> => {
      const server = Number(readFileSync(join(home, 'data', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
      isFrozen = sent === 'SIGSTOP';
      patroni?.kill(sent);
      // The postmaster is stopped first, so that it does not react to the end of its processes.
      process.kill(server, 'SIGSTOP');
      const { stdout: backends } = await runCommand('ps', ['-o', 'pid=', '--ppid', String(server)]);
      await runCommand('kill', ['-s', sent, ...backends.trim().split(/\s+/), String(server)]);
    };
    return {
      url: `postgres://anteroom@localhost:${port}/postgres`,
      apiUrl: `http://127.0.0.1:${apiPort}`,
      start() {
        if (isRunning(patroni)) throw new Error('this machine already runs');
        patroni = run('patroni', [file]);
      },
      signal,
      async end() {
        if (!isRunning(patroni)) return;
        if (isFrozen) await signal('SIGCONT');
        // stops PostgreSQL too
        const ended = once(patroni, 'exit');
        patroni.kill('SIGTERM');
        await ended;
      },
    };
  }

  const primary = await addMachine('db1');
  const standby = await addMachine('db2');
  primary.start();
  await waitFor(primary.url, 'not pg_is_in_recovery()');
  standby.start();
  return {
    primaryUrl: primary.url,
    standbyUrl: standby.url,
    beginSynchronous: () => waitUntilSynchronous(standby),
    losePrimary: () => lose(primary, loss),
    promoteStandby: () => waitFor(standby.url, 'not pg_is_in_recovery()'),
    async returnPrimary() {
      await bringBack(primary, loss);
      await waitUntilSynchronous(primary);
      return primary.url;
    },
    loseStandby: (how) => lose(standby, how),
    async returnStandby(how) {
      await bringBack(standby, how);
      await waitUntilSynchronous(standby);
    },
    async switchOver() {
      const body = JSON.stringify({ leader: 'db1', candidate: 'db2' });
      await waitUntilSynchronous(standby);
      await until(async () => (await fetch(`${primary.apiUrl}/switchover`, { method: 'POST', body })).ok);
      await waitFor(standby.url, 'not pg_is_in_recovery()');
    },
    freezeEtcd: () => void etcd.kill('SIGSTOP'),
    thawEtcd: () => void etcd.kill('SIGCONT'),
    ttlSeconds: shared.ttl,
    async stop() {
      await Promise.all([primary.end(), standby.end()]);
      const ended = once(etcd, 'exit');
      etcd.kill('SIGCONT');
      etcd.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isRunning = (process: ChildProcess | undefined): process is ChildProcess =>
  process?.exitCode === null && process.signalCode === null;

/**
 * Resolves once etcd knows that this standby is synchronous. This happens some seconds after PostgreSQL knows it. If
 * the standby is lost in between, Patroni does not stop waiting for it.
 */
const waitUntilSynchronous = ({ apiUrl }: Machine): Promise<void> =>
  until(async () => (await fetch(`${apiUrl}/synchronous`).catch(() => undefined))?.ok === true);

const lose = ({ signal }: Machine, loss: Loss): Promise<void> =>
  signal(loss === 'dies' ? 'SIGKILL' : 'SIGSTOP');

async function bringBack({ signal, start }: Machine, loss: Loss): Promise<void> {
  if (loss === 'dies') start();
  else await signal('SIGCONT');
}
