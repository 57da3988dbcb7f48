import type { Config } from './config.ts';
import { createLog } from './lib/log.ts';
import { openStandardOutput } from './lib/standard-output.ts';
import { createMetrics } from './metrics/metrics.ts';
import { startMetricsServer } from './metrics/metrics-server.ts';
import { lastLinesMs, stopOnSignal } from './shutdown.ts';
import { createNodeMetrics } from './worker-metrics.ts';
import { createWorkerPool } from './worker-pool.ts';
import { forkWorker } from './worker-process.ts';
import type { ReadinessFinding, ReadinessReport } from './readiness.ts';
import type { WorkerProcess } from './worker-process.ts';

/** Additional time for the messages between the processes and for the end of the last worker. */
const extraStopSeconds = 1;

/**
 * Starts the workers that serve visitors. This process serves operators: it writes the log and publishes the metrics.
 */
export async function startWorkers(config: Config): Promise<void> {
  const { workers: count } = config;
  const output = openStandardOutput((lines) => log.warn({ lines }, 'lines were left out of the log'));
  const log = createLog(config.logLevel, output);
  const own = createMetrics({ processMetrics: config.metrics !== undefined });
  own.watchLostLogLines(output.lost);
  const nodeMetrics = createNodeMetrics(() => own.registry.getMetricsAsJSON());
  const pool = createWorkerPool(count, {
    fork(number) {
      const worker = forkWorker(number, count, output.write);
      nodeMetrics.add(worker);
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
    (await startMetricsServer(nodeMetrics, config.metrics, () => reportReadiness(pool.running(), count)));
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

/**
 * The readiness of a node is that of its worst worker: each worker gets a share of the visitors, and a worker that is
 * not ready fails their sign-ins. A worker that does not listen gets no visitors, so it is only a warning while another
 * worker listens.
 */
export async function reportReadiness(
  workers: readonly Pick<WorkerProcess, 'number' | 'isListening' | 'ask'>[],
  count: number,
): Promise<ReadinessReport> {
  const listening = workers.filter((worker) => worker.isListening());
  const reports = await Promise.all(
    listening.map(async (worker) => (await worker.ask('readiness')) ?? unanswered(worker.number)),
  );
  const serving = new Set(listening.map(({ number }) => number)).size;
  const tooFew: ReadinessFinding = {
    check: 'workers',
    reason: `${serving} of ${count} workers serve visitors; the log says why the others ended`,
  };
  const problems = unique(reports.flatMap((report) => report.problems));
  if (serving === 0) problems.push(tooFew);
  const warnings = unique(reports.flatMap((report) => report.warnings));
  if (serving > 0 && serving < count) warnings.push(tooFew);
  const checkedMs = reports.map(({ checkedAt }) => checkedAt.getTime());
  return {
    ready: problems.length === 0,
    problems,
    warnings,
    checkedAt: new Date(Math.min(Date.now(), ...checkedMs)),
  };
}

function unanswered(number: number): ReadinessReport {
  const problems = [{ check: 'workers' as const, reason: `Worker ${number} does not answer` }];
  return { ready: false, problems, warnings: [], checkedAt: new Date() };
}

function unique(findings: readonly ReadinessFinding[]): ReadinessFinding[] {
  return [...new Map(findings.map((one) => [`${one.check} ${one.reason}`, one])).values()];
}
