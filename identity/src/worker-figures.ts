import { AggregatorRegistry, Registry } from 'prom-client';
import type { Figures } from './worker-messages.ts';
import type { WorkerProcess } from './worker-process.ts';

type CountedWorker = Pick<WorkerProcess, 'ask' | 'lastFigures' | 'closed'>;

export type NodeFigures = {
  add: (worker: CountedWorker) => void;
  /** The metrics of the node, in the text format of Prometheus. */
  metrics: () => Promise<string>;
  contentType: Registry['contentType'];
};

/**
 * Adds up the metrics of the first process and its workers. What a worker had counted when it ended stays counted:
 * Prometheus would take a sum that falls for a restart, and count the rest twice.
 */
export function createNodeFigures(own: () => Promise<Figures>): NodeFigures {
  const workers = new Set<CountedWorker>();
  let past: Figures = [];
  let retiring = Promise.resolve();

  async function retire(worker: CountedWorker): Promise<void> {
    const counted = worker.lastFigures().filter(({ type }) => !isGauge(type));
    const sum = await addUp([past, counted]).getMetricsAsJSON();
    // together, so that each answer counts the worker once
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
        async (worker) => (await worker.ask('figures')) ?? worker.lastFigures(),
      );
      const ended = past;
      return addUp([await own(), ...(await Promise.all(asking)), ended]).metrics();
    },
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
  };
}

/** The library's type is a number of an enumeration; its value is a text. */
function isGauge(type: unknown): boolean {
  return type === 'gauge';
}

export function addUp(all: readonly Figures[]): Registry {
  return AggregatorRegistry.aggregate(
    all.map((figures) => figures.map((metric) => ({ ...metric, aggregator: aggregatorOf(metric) }))),
  );
}

/** The library takes the mean of event loop lags, which hides a worker that stands still, and omits the start time. */
function aggregatorOf({ name, aggregator }: Figures[number]): Figures[number]['aggregator'] {
  if (name === 'process_start_time_seconds') return 'min';
  if (name.startsWith('nodejs_eventloop_lag_') && aggregator === 'average') return 'max';
  return name === 'nodejs_eventloop_lag_seconds' ? 'max' : aggregator;
}
