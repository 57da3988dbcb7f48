import { buildApp } from '../app.ts';
import type { Config } from '../config/config.ts';
import { seedDemoData } from '../demo/seed.ts';
import { jobsOf } from './housekeeping.ts';
import { startJobs } from './jobs.ts';
import { loadKeys } from '../keys/load-keys.ts';
import { secureRandom } from '../lib/random.ts';
import { stopOnSignal } from './shutdown.ts';
import { startDatabaseClock } from '../store/database-clock.ts';
import { createJobLeases } from '../store/job-leases.ts';
import { openDatabase } from '../store/open-database.ts';
import { createStatementWatch } from '../store/statement-watch.ts';
import { createLog } from '../lib/log.ts';
import { openStandardOutput } from '../lib/standard-output.ts';
import { startMetricsServer } from '../metrics/metrics-server.ts';
import { stopInOrder } from './stop-in-order.ts';

/** Node's default size of the thread pool, kept for reading files. */
const fileThreads = 4;

/** Opens the database, builds the app, and listens. */
export async function startService(config: Config): Promise<void> {
  // All concurrent hashes and reading files. Node reads the size when it first uses a thread.
  process.env['UV_THREADPOOL_SIZE'] ??= String(config.passwords.concurrency + fileThreads);
  const output = openStandardOutput((lines) => log.warn({ lines }, 'lines were left out of the log'));
  const log = createLog(config.logLevel, output);
  const isWatched = config.metrics !== undefined || config.tracing !== undefined;
  const statements = isWatched ? createStatementWatch() : undefined;
  const opened = await openDatabase(config.database, log, statements);
  // Loaded only if a collector is configured.
  const tracing =
    config.tracing && (await import('../tracing/start-tracing.ts')).startTracing(config.tracing);
  const clock = await startDatabaseClock(opened.database, log);
  const app = await buildApp({
    config,
    database: opened.database,
    keys: await loadKeys(config, opened.database, { random: secureRandom, clock }),
    clock,
    random: secureRandom,
    log,
    statements,
    connections: opened.connections,
    lostLogLines: output.lost,
    ...(tracing && { tracing }),
  });
  if (config.demoData) await seedDemoData(app.services);
  const metricsServer =
    config.metrics &&
    (await startMetricsServer(app.services.metrics.registry, config.metrics, app.checkReadiness));
  const jobs = startJobs(jobsOf(app.services, app.provider, opened.maintain), {
    leases: createJobLeases(app.services),
    log,
  });
  await app.nodeReports.start();
  const stop = async (): Promise<void> => {
    await stopInOrder(app, jobs, config.stop);
    metricsServer?.close();
    await opened.close();
    await tracing?.close();
  };
  const longestSeconds = config.stop.drainSeconds + config.stop.finishSeconds;
  stopOnSignal(stop, { log, output, longestSeconds });
  await app.server.listen({ port: config.port, host: config.host });
  // the actual port; PORT=0 asks for any free one
  const address = app.server.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  log.info({ publicUrl: config.publicUrl, port, pid: process.pid }, 'listening');
}
