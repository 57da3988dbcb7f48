import { parseConfig } from './config.ts';
import type { Config } from './config.ts';
import { describeFailedStart } from './start-problems.ts';

// Reports a problem that the operator can fix in one sentence on standard error.

let config: Config | undefined;
try {
  config = parseConfig(process.env);
  if (config.workers > 1) await (await import('./workers.ts')).startWorkers(config);
  else await (await import('./start-service.ts')).startAlone(config);
} catch (error) {
  process.stderr.write(`${describeFailedStart(error, config)}\n`);
  process.exit(1);
}
