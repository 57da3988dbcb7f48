import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../../tools/start/ports.ts';
import { startService, stopService, waitUntilReady } from '../../tools/start/service.ts';
import { startTemporaryPostgres } from '../../tools/test/postgres.ts';
import type { Bench, Figure } from './figure.ts';

interface Start {
  readySeconds: number;
  memoryMegabytes: number;
}

/** The idle time before a process's memory is measured. */
const restSeconds = 5;

/** The resident memory of a process. */
function readMemoryMegabytes(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1] ?? Number.NaN) / 1000;
}

async function startOnce(env: NodeJS.ProcessEnv): Promise<Start> {
  const port = await findFreePort();
  const startedMs = performance.now();
  const service = startService('The sign-in service', 'identity/src/main.ts', {
    ...env,
    PORT: String(port),
    WEB_DIST: 'none',
    LOG_LEVEL: 'warn',
  });
  await waitUntilReady(service, { port, path: '/health/ready', publicHost: `localhost:${port}` });
  const readySeconds = (performance.now() - startedMs) / 1000;
  await wait(restSeconds * 1000);
  const memoryMegabytes = readMemoryMegabytes(service.process.pid ?? 0);
  await stopService(service);
  return { readySeconds, memoryMegabytes };
}

async function run(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-bench-'));
  const postgres = await startTemporaryPostgres();
  try {
    const firstDay = await startOnce({ DATA_DIR: folder });
    const warm = await startOnce({ DATA_DIR: folder });
    const figures: Figure[] = [
      { what: 'start to ready, first day', value: firstDay.readySeconds, unit: 's', budget: { atMost: 8 } },
      { what: 'start to ready, warm', value: warm.readySeconds, unit: 's', budget: { atMost: 2 } },
      { what: 'memory at rest, embedded', value: warm.memoryMegabytes, unit: 'MB', budget: { atMost: 450 } },
    ];
    if (postgres) {
      await startOnce({ DATABASE_URL: postgres.url });
      const server = await startOnce({ DATABASE_URL: postgres.url });
      figures.push(
        { what: 'start to ready, PostgreSQL', value: server.readySeconds, unit: 's', budget: { atMost: 2 } },
        {
          what: 'memory at rest, PostgreSQL',
          value: server.memoryMegabytes,
          unit: 'MB',
          budget: { atMost: 200 },
        },
      );
    }
    return figures;
  } finally {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const start: Bench = {
  name: 'start',
  about: 'time to ready and memory at rest of the sign-in service',
  run,
};
