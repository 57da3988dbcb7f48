import { expect, test } from 'vitest';
import { createTodoQueue } from './todo-queue.ts';

/** A queue whose calls end when the test says so. */
function queueOfCalls() {
  const begun: string[] = [];
  const signals: AbortSignal[] = [];
  const endings = new Map<string, () => void>();
  let idle: (() => void) | undefined;
  const queue = createTodoQueue(
    (site, signal) => {
      begun.push(site);
      signals.push(signal);
      return new Promise((resolve) => endings.set(site, resolve));
    },
    (callback) => {
      idle = callback;
    },
  );
  /** The browser has nothing else to do. */
  const beIdle = (): void => {
    const callback = idle;
    idle = undefined;
    callback?.();
  };
  const end = async (site: string): Promise<void> => {
    endings.get(site)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, begun, signals, end, beIdle };
}

const sites = Array.from({ length: 20 }, (_, index) => `s${index}`);

test('at most six calls are under way, and none is lost', async () => {
  const { queue, begun, end } = queueOfCalls();
  queue.want(sites);
  expect(begun).toEqual(sites.slice(0, 6));
  for (const [index, site] of sites.entries()) {
    await end(site);
    expect(begun.length).toBe(Math.min(sites.length, index + 7));
  }
  expect(new Set(begun).size).toBe(sites.length);
});

test('what is wanted last comes first, and what is under way is not asked for twice', async () => {
  const { queue, begun, end } = queueOfCalls();
  queue.want(sites);
  queue.want(['s15', 's0']);
  await end('s0');
  expect(begun.at(-1)).toBe('s15');
  expect(begun.filter((site) => site === 's15')).toHaveLength(1);
});

test('stopping abandons what is under way and forgets what waits', async () => {
  const { queue, begun, signals, end } = queueOfCalls();
  queue.want(sites);
  queue.stop();
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
  await end('s0');
  expect(begun).toHaveLength(6);
  queue.want(['s19']);
  expect(begun.at(-1)).toBe('s19');
});

test('what nobody looks at waits until the browser is idle, and leaves two places free', async () => {
  const { queue, begun, end, beIdle } = queueOfCalls();
  queue.wantWhenIdle(sites);
  expect(begun).toEqual([]);
  beIdle();
  expect(begun).toEqual(['s0', 's1', 's2', 's3']);
  queue.want(['s18', 's19', 's17']);
  expect(begun.slice(4)).toEqual(['s18', 's19']);
  await end('s0');
  expect(begun.at(-1)).toBe('s17');
});

test('idle or in view, in whatever order: each site is asked for once, and never more than six at once', async () => {
  const { queue, begun, end, beIdle } = queueOfCalls();
  const ended = new Set<string>();
  const neverBegun = (names: readonly string[]): string[] => names.filter((site) => !begun.includes(site));
  queue.wantWhenIdle(sites);
  for (const inView of [['s9', 's10'], ['s19'], [], ['s10', 's11', 's12'], ['s0']]) {
    queue.want(neverBegun(inView));
    queue.wantWhenIdle(neverBegun(sites));
    beIdle();
    expect(begun.length - ended.size).toBeLessThanOrEqual(6);
    const [first = ''] = begun.filter((site) => !ended.has(site));
    ended.add(first);
    await end(first);
  }
  while (ended.size < begun.length) {
    const [first = ''] = begun.filter((site) => !ended.has(site));
    ended.add(first);
    await end(first);
    beIdle();
  }
  expect(begun.toSorted()).toEqual(sites.toSorted());
});
