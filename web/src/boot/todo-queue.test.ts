import { expect, test } from 'vitest';
import { createTodoQueue } from './todo-queue.ts';

/** A queue whose calls the test ends. */
function queueOfCalls() {
  const started: string[] = [];
  const signals: AbortSignal[] = [];
  const endings = new Map<string, () => void>();
  let idle: (() => void) | undefined;
  const queue = createTodoQueue(
    (site, signal) => {
      started.push(site);
      signals.push(signal);
      return new Promise((resolve) => endings.set(site, resolve));
    },
    (callback) => {
      idle = callback;
    },
  );
  /** Runs the idle callbacks. */
  const beIdle = (): void => {
    const callback = idle;
    idle = undefined;
    callback?.();
  };
  const end = async (site: string): Promise<void> => {
    endings.get(site)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, started, signals, end, beIdle };
}

const sites = Array.from({ length: 20 }, (_, index) => `s${index}`);

test('runs at most six calls at once and loses none [4.26]', async () => {
  const { queue, started, end } = queueOfCalls();
  queue.add(sites);
  expect(started).toEqual(sites.slice(0, 6));
  for (const [index, site] of sites.entries()) {
    await end(site);
    expect(started.length).toBe(Math.min(sites.length, index + 7));
  }
  expect(new Set(started).size).toBe(sites.length);
});

test('the last requested sites come first, and no site in flight is requested twice', async () => {
  const { queue, started, end } = queueOfCalls();
  queue.add(sites);
  queue.add(['s15', 's0']);
  await end('s0');
  expect(started.at(-1)).toBe('s15');
  expect(started.filter((site) => site === 's15')).toHaveLength(1);
});

test('stop aborts calls in flight and clears the queue [4.26]', async () => {
  const { queue, started, signals, end } = queueOfCalls();
  queue.add(sites);
  queue.stop();
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
  await end('s0');
  expect(started).toHaveLength(6);
  queue.add(['s19']);
  expect(started.at(-1)).toBe('s19');
});

test('sites out of view are requested when the browser is idle, and leave two slots free', async () => {
  const { queue, started, end, beIdle } = queueOfCalls();
  queue.addWhenIdle(sites);
  expect(started).toEqual([]);
  beIdle();
  expect(started).toEqual(['s0', 's1', 's2', 's3']);
  queue.add(['s18', 's19', 's17']);
  expect(started.slice(4)).toEqual(['s18', 's19']);
  await end('s0');
  expect(started.at(-1)).toBe('s17');
});

test('in any order of idle and in-view requests, each site is requested once and at most six at once', async () => {
  const { queue, started, end, beIdle } = queueOfCalls();
  const ended = new Set<string>();
  const neverStarted = (names: readonly string[]): string[] =>
    names.filter((site) => !started.includes(site));
  queue.addWhenIdle(sites);
  for (const inView of [['s9', 's10'], ['s19'], [], ['s10', 's11', 's12'], ['s0']]) {
    queue.add(neverStarted(inView));
    queue.addWhenIdle(neverStarted(sites));
    beIdle();
    expect(started.length - ended.size).toBeLessThanOrEqual(6);
    const [first = ''] = started.filter((site) => !ended.has(site));
    ended.add(first);
    await end(first);
  }
  while (ended.size < started.length) {
    const [first = ''] = started.filter((site) => !ended.has(site));
    ended.add(first);
    await end(first);
    beIdle();
  }
  expect(started.toSorted()).toEqual(sites.toSorted());
});
