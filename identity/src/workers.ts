import type { Config } from './config.ts';
import { createLog } from './lib/log.ts';
import { openStandardOutput } from './lib/standard-output.ts';
import { createMetrics } from './metrics/create-metrics.ts';
import { startMetricsServer } from './metrics/metrics-server.ts';
import { lastLinesMs, stopOnSignal } from './shutdown.ts';
import { createNodeFigures } from './worker-figures.ts';
import { createWorkerPool } from './worker-pool.ts';
import { forkWorker } from './worker-process.ts';
import { reportReadiness } from './worker-readiness.ts';

/** For the messages between the processes, and the end of the last worker. */
const extraStopSeconds = 1;

/** Starts workers that serve visitors, and serves operators itself: one log, one address for metrics. */
export async function startWorkers(config: Config): Promise<void> {
  const { workers: count } = config;
  const output = openStandardOutput((lines) => log.warn({ lines }, 'lines were left out of the log'));
  const log = createLog(config.logLevel, output);
  const own = createMetrics({ processMetrics: config.metrics !== undefined });
  own.watchLostLogLines(output.lost);
  const figures = createNodeFigures(() => own.registry.getMetricsAsJSON());
  const pool = createWorkerPool(count, {
    fork(number) {
      const worker = forkWorker(number, count, output.write);
      figures.add(worker);
      return worker;
    },
    log,
    giveUp(error) {
      log.fatal({ err: error }, 'no worker serves visitors');
      process.stderr.write(`${error.message}\n`);
      void output.settle(lastLinesMs).then(() => process.exit(1));
    },
  });
  process.on('exit', pool.kill);
  const metricsServer =
    config.metrics &&
    (await startMetricsServer(figures, config.metrics, () => reportReadiness(pool.running(), count)));
  const longestSeconds = config.stop.drainSeconds + config.stop.finishSeconds + extraStopSeconds;
  const stop = async (): Promise<void> => {
    await pool.stop();
    metricsServer?.close();
  };
  stopOnSignal(stop, { log, output, longestSeconds });
  process.on('SIGUSR2', () => void pool.replaceAll());
  const started = await pool.start();
  if (started === undefined) return;
  const { port, listening } = started;
  log.info(
    { publicUrl: config.publicUrl, port, pid: process.pid, workers: listening },
    'the workers are listening',
  );
}
