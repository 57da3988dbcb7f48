import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from './lib/log.ts';
import { createWorkerPool } from './worker-pool.ts';
import type { WorkerProcess } from './worker-process.ts';

type FakeWorker = WorkerProcess & { listen: () => void; end: (how: number | string) => void };

function fakeWorker(number: number): FakeWorker {
  const port = Promise.withResolvers<number | undefined>();
  const ended = Promise.withResolvers<number | string>();
  let isListening = false;
  let isReplaced = false;
  const gone = ended.promise.then(() => undefined);
  return {
    number,
    isListening: () => isListening,
    isReplaced: () => isReplaced,
    listening: Promise.race([port.promise, gone]),
    drained: gone,
    ended: ended.promise,
    closed: gone,
    ask: () => Promise.resolve(undefined),
    lastMetrics: () => [],
    mayClose: () => undefined,
    replace() {
      isReplaced = true;
      ended.resolve(0);
    },
    kill: (signal) => ended.resolve(signal),
    listen() {
      isListening = true;
      port.resolve(4400);
    },
    end: ended.resolve,
  };
}

let forked: FakeWorker[];
const giveUp = vi.fn<(error: Error) => void>();
const openPool = () =>
  createWorkerPool(2, {
    fork(number) {
      const worker = fakeWorker(number);
      forked.push(worker);
      return worker;
    },
    log: createLog('silent'),
    giveUp,
  });
/** Lets the code that awaits settled promises run. */
const settle = () => vi.advanceTimersByTimeAsync(0);

async function startedPool() {
  const pool = openPool();
  const starting = pool.start();
  forked[0]!.listen();
  await settle();
  forked[1]!.listen();
  expect(await starting).toEqual({ port: 4400, listening: 2 });
  return pool;
}

beforeEach(() => {
  vi.useFakeTimers();
  forked = [];
  giveUp.mockClear();
});
afterEach(() => vi.useRealTimers());

test('the other workers start once the first worker listens', async () => {
  void openPool().start();
  await settle();
  expect(forked.map(({ number }) => number)).toEqual([1]);
  forked[0]!.listen();
  await settle();
  expect(forked.map(({ number }) => number)).toEqual([1, 2]);
});

test('a first worker that cannot start ends the start with its reason', async () => {
  const starting = openPool().start();
  forked[0]!.end(1);
  await expect(starting).rejects.toThrow('worker 1 ended with exit code 1 before it could');
});

test('a worker that ends repeatedly restarts at once, then after 1, 2, 4 and at most 30 seconds', async () => {
  await startedPool();
  const waits: number[] = [];
  for (let turn = 0; turn < 8; turn += 1) {
    const count = forked.length;
    forked.at(-1)!.end('SIGKILL');
    await settle();
    let seconds = 0;
    for (; forked.length === count; seconds += 1) await vi.advanceTimersByTimeAsync(1000);
    waits.push(seconds);
    expect(forked.at(-1)!.number).toBe(2);
  }
  expect(waits).toEqual([0, 1, 2, 4, 8, 16, 30, 30]);
  expect(giveUp).not.toHaveBeenCalled();
});

test('a worker that has served for a minute restarts at once', async () => {
  await startedPool();
  for (let turn = 0; turn < 3; turn += 1) {
    await vi.advanceTimersByTimeAsync(60_000);
    forked.at(-1)!.end('SIGKILL');
    await settle();
    expect(forked).toHaveLength(3 + turn);
    forked.at(-1)!.listen();
  }
});

test('ends the process when no worker serves and the next worker cannot start', async () => {
  await startedPool();
  forked[0]!.end('SIGKILL');
  forked[1]!.end('SIGKILL');
  await settle();
  expect(forked).toHaveLength(4);
  forked[2]!.end(1);
  await settle();
  expect(giveUp).not.toHaveBeenCalled();
  forked[3]!.end(1);
  await settle();
  expect(giveUp).toHaveBeenCalledOnce();
});

test('replaces a worker once its replacement listens, and keeps it if the replacement cannot start', async () => {
  const pool = await startedPool();
  const replacing = pool.replaceAll();
  expect(forked[0]!.isReplaced()).toBe(false);
  forked[2]!.listen();
  await settle();
  expect(forked[0]!.isReplaced()).toBe(true);
  expect(forked[3]!.number).toBe(2);
  forked[3]!.end(1);
  await replacing;
  expect(forked[1]!.isReplaced()).toBe(false);
  expect(pool.running()).toEqual([forked[1], forked[2]]);
});

test('at a stop, workers close their ports once they have accepted the queued connections', async () => {
  const pool = await startedPool();
  const orders: string[] = [];
  const accepted = [3, 8, 8];
  for (const worker of forked) {
    const drained = Promise.withResolvers<void>();
    Object.assign(worker, {
      drained: drained.promise,
      kill: () => drained.resolve(),
      ask: () => {
        orders.push('asked');
        return Promise.resolve(worker.number === 1 ? accepted.shift() : 0);
      },
      mayClose() {
        orders.push('may close');
        worker.end(0);
      },
    });
  }
  vi.useRealTimers();
  await pool.stop();
  expect(orders).toEqual([...Array.from({ length: 6 }, () => 'asked'), 'may close', 'may close']);
});

test('a stop reports a worker that did not end with 0', async () => {
  const pool = await startedPool();
  vi.useRealTimers();
  await expect(pool.stop()).rejects.toThrow('workers ended with SIGTERM and SIGTERM');
});
