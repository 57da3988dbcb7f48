import type { Config } from './config/config.ts';
import { cacheCompiledCode } from './lib/compile-cache.ts';
import { nameSourcesInStackTraces } from './lib/stack-traces.ts';

// Reports a problem that the operator can fix in one sentence on standard error.

nameSourcesInStackTraces();
cacheCompiledCode();
const { parseConfig } = await import('./config/config.ts');
const { describeFailedStart } = await import('./process/start-problems.ts');

let config: Config | undefined;
try {
  config = parseConfig(process.env);
  await (await import('./process/start-service.ts')).startService(config);
} catch (error) {
  process.stderr.write(`${describeFailedStart(error, config)}\n`);
  process.exit(1);
}
