// npm test: runs all checks and tests, the cheapest first.
import { availableParallelism } from 'node:os';
import { checkStages } from './check/stages.ts';
import { requireChromium } from './chromium.ts';
import { closeWith, runStages } from './stage.ts';
import type { StageRun } from './stage.ts';
import { parallelStages } from './test/stages.ts';

const startedMs = performance.now();
const secondsSince = (): number => (performance.now() - startedMs) / 1000;

const checks = await runStages(checkStages, availableParallelism());
const check: StageRun = {
  name: 'check',
  passed: checks.reduce((total, { passed }) => total + passed, 0),
  failed: checks.reduce((total, { failed }) => total + failed, 0),
  seconds: secondsSince(),
};
// finds Chromium once for all stages, so that at most one download happens
process.env['CHROMIUM'] = await requireChromium();
const testRuns = await Promise.all(parallelStages().map(async (stages) => runStages(stages)));
const runs = [check, ...testRuns.flat()];

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
