import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runCommand } from '../../tools/command.ts';
import { root } from '../../tools/root.ts';
import { findFreePort } from '../../tools/start/ports.ts';
import { startService, stopService, waitUntilReady } from '../../tools/start/service.ts';
import { startTemporaryPostgres } from '../../tools/test/postgres.ts';
import { median } from './figure.ts';
import type { Bench, Figure } from './figure.ts';
import { processSeconds } from './processor-time.ts';

/** The programs of one kind: run from the sources, or bundled in a release. */
interface Programs {
  service: string;
  commands: string;
}

interface Start {
  readySeconds: number;
  processorSeconds: number;
  memoryMegabytes: number;
}

/** The idle time before a process's memory is measured. */
const restSeconds = 5;
/** The sources and the release take turns, so that both see the same load of the machine. */
const rounds = 5;

const sources: Programs = {
  service: join(root, 'identity/src/main.ts'),
  commands: join(root, 'identity/src/cli/main.ts'),
};

/** Builds a release in `folder`. */
async function makeRelease(folder: string): Promise<Programs> {
  const { exitCode, output } = await runCommand(process.execPath, ['tools/release.ts', folder]);
  if (exitCode !== 0) throw new Error(output);
  const [bundled = ''] = globSync(join(folder, '*/identity/dist'));
  return { service: join(bundled, 'main.js'), commands: join(bundled, 'cli.js') };
}

/** The resident memory of a process. */
function readMemoryMegabytes(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1] ?? Number.NaN) / 1000;
}

async function startOnce({ service: script }: Programs, env: NodeJS.ProcessEnv): Promise<Start> {
  const port = await findFreePort();
  const startedMs = performance.now();
  const service = startService('The sign-in service', script, {
    ...env,
    PORT: String(port),
    WEB_DIST: 'none',
    LOG_LEVEL: 'warn',
  });
  const pid = service.process.pid ?? 0;
  await waitUntilReady(service, { port, path: '/health/ready', publicHost: `localhost:${port}` });
  const readySeconds = (performance.now() - startedMs) / 1000;
  const processorSeconds = processSeconds(pid);
  await wait(restSeconds * 1000);
  const memoryMegabytes = readMemoryMegabytes(pid);
  await stopService(service);
  return { readySeconds, processorSeconds, memoryMegabytes };
}

/** The CPU time of a command that reads a few rows, with that of its child processes. */
async function measureCommand({ commands }: Programs, env: NodeJS.ProcessEnv): Promise<number> {
  const measure = join(root, 'bench/src/measured-command.ts');
  const command = spawn(process.execPath, [measure, commands, 'sites', 'list'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  command.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await once(command, 'close');
  return Number(printed);
}

const medianOf = (starts: readonly Start[], member: keyof Start): number =>
  median(starts.map((start) => start[member]));

/** Both kinds take turns. The first round only fills the caches of compiled code. */
async function compare<T>(
  release: Programs,
  measure: (programs: Programs) => Promise<T>,
): Promise<{ ofSources: T[]; ofRelease: T[] }> {
  const ofSources: T[] = [];
  const ofRelease: T[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    ofSources.push(await measure(sources));
    ofRelease.push(await measure(release));
  }
  return { ofSources: ofSources.slice(1), ofRelease: ofRelease.slice(1) };
}

async function measureEmbedded(release: Programs, folder: string): Promise<Figure[]> {
  const first = await startOnce(release, { DATA_DIR: join(folder, 'release') });
  const { ofSources, ofRelease } = await compare(release, async (programs) =>
    startOnce(programs, { DATA_DIR: join(folder, programs === release ? 'release' : 'sources') }),
  );
  return [
    {
      what: 'release, embedded, first start to ready',
      value: first.readySeconds,
      unit: 's',
      budget: { atMost: 4 },
    },
    { what: 'release, embedded, first start, processor time', value: first.processorSeconds, unit: 's' },
    {
      what: 'release, embedded, later start to ready',
      value: medianOf(ofRelease, 'readySeconds'),
      unit: 's',
      budget: { atMost: 1 },
    },
    ...compareStarts('embedded', ofSources, ofRelease),
    {
      what: 'release, embedded, memory at rest',
      value: medianOf(ofRelease, 'memoryMegabytes'),
      unit: 'MB',
      budget: { atMost: 300 },
    },
  ];
}

function compareStarts(name: string, ofSources: readonly Start[], ofRelease: readonly Start[]): Figure[] {
  const source = medianOf(ofSources, 'processorSeconds');
  const release = medianOf(ofRelease, 'processorSeconds');
  return [
    { what: `sources, ${name}, start, processor time`, value: source, unit: 's' },
    { what: `release, ${name}, start, processor time`, value: release, unit: 's' },
    {
      what: `release against sources, ${name}, start, processor time`,
      value: release / source,
      unit: '×',
      ...(name === 'PostgreSQL' && { budget: { atMost: 0.45 } }),
    },
    { what: `sources, ${name}, memory at rest`, value: medianOf(ofSources, 'memoryMegabytes'), unit: 'MB' },
  ];
}

async function measureServer(release: Programs, url: string): Promise<Figure[]> {
  const env = { DATABASE_URL: url };
  const { ofSources, ofRelease } = await compare(release, async (programs) => startOnce(programs, env));
  const commands = await compare(release, async (programs) => measureCommand(programs, env));
  return [
    { what: 'release, PostgreSQL, start to ready', value: medianOf(ofRelease, 'readySeconds'), unit: 's' },
    ...compareStarts('PostgreSQL', ofSources, ofRelease),
    {
      what: 'release, PostgreSQL, memory at rest',
      value: medianOf(ofRelease, 'memoryMegabytes'),
      unit: 'MB',
      budget: { atMost: 140 },
    },
    { what: 'sources, a command, processor time', value: median(commands.ofSources), unit: 's' },
    {
      what: 'release, a command, processor time',
      value: median(commands.ofRelease),
      unit: 's',
      budget: { atMost: 0.5 },
    },
  ];
}

async function run(): Promise<Figure[]> {
  const load = loadavg()[0] ?? Number.NaN;
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-bench-'));
  const postgres = await startTemporaryPostgres();
  try {
    const release = await makeRelease(folder);
    return [
      { what: 'load of the machine before the first measurement', value: load, unit: '×' },
      ...(await measureEmbedded(release, folder)),
      ...(postgres ? await measureServer(release, postgres.url) : []),
    ];
  } finally {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const start: Bench = {
  name: 'start',
  about: 'processor time of a start and of a command, and memory at rest: release against sources',
  run,
};
