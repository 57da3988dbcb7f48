import { expect, test } from 'vitest';
import { createTodoQueue } from './todo-queue.ts';

/** A queue whose calls end when the test says so. */
function queueOfCalls() {
  const begun: string[] = [];
  const signals: AbortSignal[] = [];
  const endings = new Map<string, () => void>();
  const queue = createTodoQueue((site, signal) => {
    begun.push(site);
    signals.push(signal);
    return new Promise((resolve) => endings.set(site, resolve));
  });
  const end = async (site: string): Promise<void> => {
    endings.get(site)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, begun, signals, end };
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
