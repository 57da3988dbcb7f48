import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import type { App } from './app.ts';
import { ConfigError, parseConfig } from './config.ts';
import type { Config } from './config.ts';
import { seedDemoData } from './demo/seed.ts';
import { jobsOf } from './housekeeping.ts';
import { startJobs } from './jobs.ts';
import { createLog } from './lib/log.ts';
import { secureRandom } from './lib/random.ts';
import { openStandardOutput } from './lib/standard-output.ts';
import type { LineOutput } from './lib/standard-output.ts';
import type { Tracing } from './lib/tracing.ts';
import { MissingKeyError } from './keys/keys-in-use.ts';
import { loadKeys } from './keys/load-keys.ts';
import { startMetricsServer } from './metrics/metrics-server.ts';
import { stopOnSignal } from './shutdown.ts';
import { explainStartProblem } from './start-problems.ts';
import { stopInOrder } from './stop-in-order.ts';
import { startDatabaseClock } from './store/database-clock.ts';
import { DirectoryLockError } from './store/directory-lock.ts';
import { createJobLeases } from './store/job-leases.ts';
import { openDatabase } from './store/open-database.ts';
import type { OpenDatabase } from './store/open-database.ts';
import { createStatementWatch } from './store/statement-watch.ts';

/** What Node has without being told. */
const fileThreads = 4;

// config → database → app → listen. A problem that the operator can mend is one sentence on standard error.

let config: Config | undefined;
try {
  config = parseConfig(process.env);
  // Node starts its threads at their first use, which comes later: as many as hash at once, and those that read files.
  process.env['UV_THREADPOOL_SIZE'] ??= String(config.passwords.concurrency + fileThreads);
  const output = openStandardOutput((lines) => log.warn({ lines }, 'lines were left out of the log'));
  const log = createLog(config.logLevel, output);
  await start(config, log, output);
} catch (error) {
  const isForPeople = [ConfigError, DirectoryLockError, MissingKeyError].some(
    (kind) => error instanceof kind,
  );
  process.stderr.write(
    `${isForPeople && error instanceof Error ? error.message : (explainStartProblem(error, config) ?? describe(error))}\n`,
  );
  process.exit(1);
}

async function start(config: Config, log: Logger, output: LineOutput): Promise<void> {
  const isWatched = config.metrics !== undefined || config.tracing !== undefined;
  const statements = isWatched ? createStatementWatch() : undefined;
  const opened = await openDatabase(config.database, log, statements);
  // loaded for whoever has a collector, and for nobody else
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
  await listen(config, app, { ...opened, close: () => closeAll(opened, tracing) }, { log, output });
}

async function closeAll(opened: OpenDatabase, tracing: Tracing | undefined): Promise<void> {
  await opened.close();
  await tracing?.close();
}

async function listen(
  config: Config,
  app: App,
  opened: OpenDatabase,
  { log, output }: { log: Logger; output: LineOutput },
): Promise<void> {
  const metricsServer =
    config.metrics &&
    (await startMetricsServer(app.services.metrics.registry, config.metrics, app.checkReadiness));
  const jobs = startJobs(jobsOf(app.services, app.openid, opened.maintain), {
    leases: createJobLeases(app.services),
    log,
  });
  await app.nodeReports.start();
  const longestSeconds = config.stop.drainSeconds + config.stop.finishSeconds;
  const stop = async (): Promise<void> => {
    await stopInOrder(app, jobs, config.stop);
    metricsServer?.close();
    await opened.close();
  };
  stopOnSignal(stop, { log, output, longestSeconds });
  await app.server.listen({ port: config.port, host: config.host });
  // the one that it got, where any free one was asked for
  const address = app.server.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  log.info({ publicUrl: config.publicUrl, port, pid: process.pid }, 'listening');
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
