import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createVisitor } from '@anteroom/testkit/visitor';
import type { Visitor } from '@anteroom/testkit/visitor';
import { findFreePort } from '../../tools/start/ports.ts';
import { root } from '../../tools/root.ts';

export const seconds = 5;
/** Enough parallel requests to keep the hashing threads busy, but too few to fill the queue. */
export const visitorsAtOnce = 8;

/** Creates a visitor with a separate address, as reported by a proxy. */
export function visitFrom(index: number): Visitor {
  return createVisitor({
    'X-Forwarded-For': `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
  });
}

/** Operations per second, and the CPU time of one process per operation. */
export type Rate = { perSecond: number; processorMs: number };

/** Runs `work` with this concurrency for the duration of the measurement; `processorSeconds` returns the CPU time used by the process under test. */
export async function measureRate(
  concurrency: number,
  processorSeconds: () => number | Promise<number>,
  work: () => Promise<unknown>,
): Promise<Rate> {
  const usedBefore = await processorSeconds();
  const startedMs = performance.now();
  let done = 0;
  const runRepeatedly = async (): Promise<void> => {
    while (performance.now() - startedMs < seconds * 1000) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runRepeatedly));
  const perSecond = done / ((performance.now() - startedMs) / 1000);
  return { perSecond, processorMs: ((await processorSeconds()) - usedBefore) * (1000 / done) };
}

/** Values from the service's metrics. */
export interface Watched {
  processorSeconds: () => Promise<number>;
  /** The number of statements so far, without those of the audit log, which are written in the background. */
  statements: () => Promise<number>;
}

export function watch(metricsPort: number, databaseSeconds: () => number): Watched {
  const read = async (): Promise<string> =>
    await (await fetch(`http://localhost:${metricsPort}/metrics`)).text();
  return {
    async processorSeconds() {
      const found = /^process_cpu_seconds_total(?:\{[^}]*\})? (\S+)/m.exec(await read());
      return Number(found?.[1] ?? Number.NaN) + databaseSeconds();
    },
    async statements() {
      const counts = (await read()).matchAll(/^anteroom_database_statement_seconds_count\{(.*)\} (\d+)$/gm);
      return [...counts]
        .filter(([, labels]) => labels?.includes('table="audit_events"') !== true)
        .reduce((sum, [, , count]) => sum + Number(count), 0);
    },
  };
}

/** A program of this folder that serves requests and its own CPU time. */
export interface Program {
  pid: number;
  address: string;
  processorSeconds: () => Promise<number>;
  stop: () => Promise<void>;
}

/** Starts a program of this folder, whose first argument is its port. */
export async function startProgram(name: string, args: readonly string[]): Promise<Program> {
  const port = await findFreePort();
  const address = `http://localhost:${port}`;
  const child = spawn(process.execPath, [join(root, 'bench/src', name), String(port), ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const visitor = createVisitor();
  const processorSeconds = async (): Promise<number> => {
    const { user, system } = JSON.parse((await visitor.ask(`${address}/processor`)).text) as NodeJS.CpuUsage;
    return (user + system) / 1_000_000;
  };
  while (
    !(await processorSeconds().then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`${name} has stopped`);
    await wait(50);
  }
  return {
    pid: child.pid ?? 0,
    address,
    processorSeconds,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}
