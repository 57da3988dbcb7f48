import { expect, test } from 'vitest';
import { createMetrics } from './metrics/metrics.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createNodeMetrics } from './worker-metrics.ts';
import type { WorkerProcess } from './worker-process.ts';

function workerWith(metrics: Metrics) {
  let end = (): void => undefined;
  let lastMetrics: Awaited<ReturnType<WorkerProcess['lastMetrics']>> = [];
  const closed = new Promise<void>((resolve) => (end = resolve));
  const worker = {
    closed,
    ask: async () => {
      lastMetrics = await metrics.registry.getMetricsAsJSON();
      // the only message in this test
      return lastMetrics as never;
    },
    lastMetrics: () => lastMetrics,
  };
  return { worker, end };
}

test('the counters and queues of all workers are added up, and values of the database are reported once', async () => {
  const own = createMetrics();
  const node = createNodeMetrics(() => own.registry.getMetricsAsJSON());
  for (const count of [2, 3]) {
    const metrics = createMetrics();
    metrics.countRequest('authenticate', 200, 0.01 * count);
    metrics.setHashQueue(1, count);
    metrics.watchCodeBudgets({ all: 10, range: 5 }, () => Promise.resolve({ all: 4, range: 1 }));
    node.add(workerWith(metrics).worker);
  }
  const text = await node.metrics();
  expect(text).toContain('anteroom_request_seconds_count{call="authenticate",status="200"} 2');
  expect(text).toContain('anteroom_request_seconds_bucket{le="0.02",call="authenticate",status="200"} 1');
  expect(text).toContain('anteroom_password_hash_queue{state="waiting"} 5');
  expect(text).toContain('anteroom_code_messages_budget{scope="all"} 10');
  expect(text).toContain('anteroom_code_messages_last_hour{scope="all"} 4');
});

test('the counts of an ended worker stay in the counters but not in the gauges', async () => {
  const own = createMetrics();
  const node = createNodeMetrics(() => own.registry.getMetricsAsJSON());
  const metrics = createMetrics();
  metrics.countLimited('address');
  metrics.setHashQueue(1, 0);
  const { worker, end } = workerWith(metrics);
  node.add(worker);
  const limited = 'anteroom_limited_attempts_total{by="address"} 1';
  const running = 'anteroom_password_hash_queue{state="running"} 1';
  const before = await node.metrics();
  expect(before).toContain(limited);
  expect(before).toContain(running);
  end();
  await expect.poll(async () => (await node.metrics()).includes(running)).toBe(false);
  expect(await node.metrics()).toContain(limited);
});
