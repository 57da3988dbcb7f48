import type { Config } from './config.ts';
import { createLog } from './lib/log.ts';
import { openStandardOutput } from './lib/standard-output.ts';
import { startMetricsServer } from './metrics/metrics-server.ts';
import { reserveThreads, startService } from './start-service.ts';
import { stopInOrder } from './stop-in-order.ts';

/** The whole service in this process. */
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
