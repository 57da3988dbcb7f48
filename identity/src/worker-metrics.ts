import { AggregatorRegistry, Registry } from 'prom-client';
import type { ProcessMetrics } from './worker-messages.ts';
import type { WorkerProcess } from './worker-process.ts';

type CountedWorker = Pick<WorkerProcess, 'ask' | 'lastMetrics' | 'closed'>;

export type NodeMetrics = {
  add: (worker: CountedWorker) => void;
  /** The metrics of the node, in the text format of Prometheus. */
  metrics: () => Promise<string>;
  contentType: Registry['contentType'];
};

/**
 * Adds up the metrics of the first process and its workers. The sums include the counts of ended workers: Prometheus
 * takes a falling counter for a restart, and would count the remaining sum twice.
 */
export function createNodeMetrics(own: () => Promise<ProcessMetrics>): NodeMetrics {
  const workers = new Set<CountedWorker>();
  let past: ProcessMetrics = [];
  let retiring = Promise.resolve();

  async function retire(worker: CountedWorker): Promise<void> {
    const counted = worker.lastMetrics().filter(({ type }) => !isGauge(type));
    const sum = await addUp([past, counted]).getMetricsAsJSON();
    // without an await in between, so that each report counts the worker exactly once
    past = sum;
    workers.delete(worker);
  }

  return {
    add(worker) {
      workers.add(worker);
      void worker.closed.then(() => (retiring = retiring.then(() => retire(worker))));
    },
    async metrics() {
      const asking = [...workers].map(
        async (worker) => (await worker.ask('figures')) ?? worker.lastMetrics(),
      );
      const ended = past;
      return addUp([await own(), ...(await Promise.all(asking)), ended]).metrics();
    },
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
  };
}

/** The library declares the type as a numeric enumeration, but the value is a string. */
function isGauge(type: unknown): boolean {
  return type === 'gauge';
}

export function addUp(all: readonly ProcessMetrics[]): Registry {
  return AggregatorRegistry.aggregate(
    all.map((metrics) => metrics.map((metric) => ({ ...metric, aggregator: aggregatorOf(metric) }))),
  );
}

/**
 * Replaces two choices of the library: its mean of event loop lags hides a blocked worker, and it omits the start time.
 */
function aggregatorOf({ name, aggregator }: ProcessMetrics[number]): ProcessMetrics[number]['aggregator'] {
  if (name === 'process_start_time_seconds') return 'min';
  if (name.startsWith('nodejs_eventloop_lag_') && aggregator === 'average') return 'max';
  return name === 'nodejs_eventloop_lag_seconds' ? 'max' : aggregator;
}
