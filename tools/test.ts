// npm test: runs the checks and the tests that every change needs, the cheapest first. npm run test:all (`--rest`) runs
// all other tests; `test/tiers.ts` says which these are.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { checkStages } from './check/stages.ts';
import { requireChromium } from './chromium.ts';
import { closeWith, runStages } from './stage.ts';
import type { StageRun } from './stage.ts';
import { cacheFolder } from './root.ts';
import { parallelStages } from './test/stages.ts';
import { createTemporaryFolder } from './test/temporary-folder.ts';

const startedMs = performance.now();
const secondsSince = (): number => (performance.now() - startedMs) / 1000;

// a run that is stopped leaves nothing behind
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
process.env['TMPDIR'] = createTemporaryFolder();
// outside of that folder, so that the next run reads it
process.env['PWTEST_CACHE_DIR'] ??= join(cacheFolder, 'playwright');

const tier = process.argv.includes('--rest') ? 'rest' : 'first';
const runs: StageRun[] = [];
if (tier === 'first') {
  const checks = await runStages(checkStages, availableParallelism());
  runs.push({
    name: 'check',
    passed: checks.reduce((total, { passed }) => total + passed, 0),
    failed: checks.reduce((total, { failed }) => total + failed, 0),
    seconds: secondsSince(),
  });
}
// finds Chromium once for all stages, so that at most one download happens
process.env['CHROMIUM'] = await requireChromium();
const testRuns = await Promise.all(parallelStages(tier).map(async (stages) => runStages(stages)));
runs.push(...testRuns.flat());

const rows = [
  ['stage', 'time', 'passed', 'failed'],
  ...runs.map(({ name, seconds, passed, failed }) => [name, `${seconds.toFixed(0)} s`, passed, failed]),
  ['all', `${(secondsSince() / 60).toFixed(1)} min`, '', ''],
];
for (const [name, ...figures] of rows)
  process.stdout.write(
    `${String(name).padEnd(20)}${figures.map((figure) => String(figure).padStart(10)).join('')}\n`,
  );
closeWith(runs);
