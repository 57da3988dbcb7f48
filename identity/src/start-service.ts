import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import type { App } from './app.ts';
import type { Config } from './config.ts';
import { seedDemoData } from './demo/seed.ts';
import { jobsOf } from './housekeeping.ts';
import { startJobs } from './jobs.ts';
import type { RunningJobs } from './jobs.ts';
import { loadKeys } from './keys/load-keys.ts';
import { secureRandom } from './lib/random.ts';
import type { LineOutput } from './lib/standard-output.ts';
import type { Tracing } from './lib/tracing.ts';
import { stopOnSignal } from './shutdown.ts';
import { startDatabaseClock } from './store/database-clock.ts';
import { createJobLeases } from './store/job-leases.ts';
import { openDatabase } from './store/open-database.ts';
import type { OpenDatabase } from './store/open-database.ts';
import { createStatementWatch } from './store/statement-watch.ts';
import { createLog } from './lib/log.ts';
import { openStandardOutput } from './lib/standard-output.ts';
import { startMetricsServer } from './metrics/metrics-server.ts';
import { stopInOrder } from './stop-in-order.ts';

/** Node's default size of the thread pool, kept for reading files. */
const fileThreads = 4;

/** The differences between the only process of a service and one of several workers. */
export type ServiceProcess = {
  log: Logger;
  output: LineOutput;
  runsJobs: boolean;
  /** Publishes the metrics and the reasons for unreadiness; resolves to the function that closes them. */
  openForOperators: (app: App) => Promise<(() => void | Promise<void>) | undefined>;
  stop: (app: App, jobs: RunningJobs) => Promise<void>;
  /** Called with a function that stops the process as a signal does. */
  onStoppable?: (begin: (reason: string) => void) => void;
  onListening?: (port: number | undefined) => void;
};

/**
 * Sizes the thread pool for all concurrent hashes and for reading files. Call it early: Node reads the size when it
 * first uses a thread.
 */
export function reserveThreads(config: Config): void {
  process.env['UV_THREADPOOL_SIZE'] ??= String(config.passwords.concurrency + fileThreads);
}

/** Opens the database, builds the app, and listens. */
export async function startService(config: Config, own: ServiceProcess): Promise<void> {
  const { log, output } = own;
  const isWatched = config.metrics !== undefined || config.tracing !== undefined;
  const statements = isWatched ? createStatementWatch() : undefined;
  const opened = await openDatabase(config.database, log, statements);
  // Loaded only if a collector is configured.
  const tracing = config.tracing && (await import('./tracing/start-tracing.ts')).startTracing(config.tracing);
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
  await listen(config, app, { ...opened, close: () => closeAll(opened, tracing) }, own);
}

async function closeAll(opened: OpenDatabase, tracing: Tracing | undefined): Promise<void> {
  await opened.close();
  await tracing?.close();
}

async function listen(config: Config, app: App, opened: OpenDatabase, own: ServiceProcess): Promise<void> {
  const { log, output } = own;
  const closeForOperators = await own.openForOperators(app);
  const jobs = startJobs(own.runsJobs ? jobsOf(app.services, app.openid, opened.maintain) : [], {
    leases: createJobLeases(app.services),
    log,
  });
  await app.nodeReports.start();
  const longestSeconds = config.stop.drainSeconds + config.stop.finishSeconds;
  const stop = async (): Promise<void> => {
    await own.stop(app, jobs);
    await closeForOperators?.();
    await opened.close();
  };
  const begin = stopOnSignal(stop, { log, output, longestSeconds });
  own.onStoppable?.(begin);
  await app.server.listen({ port: config.port, host: config.host });
  // the actual port; PORT=0 asks for any free one
  const address = app.server.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  log.info({ publicUrl: config.publicUrl, port, pid: process.pid }, 'listening');
  own.onListening?.(port);
}

/** Runs the whole service in this process. */
export async function startAlone(config: Config): Promise<void> {
  reserveThreads(config);
  const output = openStandardOutput((lines) => log.warn({ lines }, 'lines were left out of the log'));
  const log = createLog(config.logLevel, output);
  await startService(config, {
    log,
    output,
    runsJobs: true,
    async openForOperators({ services, checkReadiness }) {
      if (config.metrics === undefined) return undefined;
      const { registry } = services.metrics;
      const server = await startMetricsServer(registry, config.metrics, checkReadiness);
      return () => void server.close();
    },
    stop: (app, jobs) => stopInOrder(app, jobs, config.stop),
  });
}
