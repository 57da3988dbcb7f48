// npm test: everything that is checked, in the order in which it is cheapest to hear of a fault.
import { availableParallelism } from 'node:os';
import { checkStages } from './check/stages.ts';
import { runStages } from './stage.ts';
import { testStages } from './test/stages.ts';

const startedMs = performance.now();
const checks = await runStages(checkStages, availableParallelism());
// one after the other: each of these has the whole machine to itself, so that its timings mean something
const tests = await runStages(testStages());
const failed = checks.failed + tests.failed;
const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
process.stdout.write(`\nin ${minutes} min\n${checks.passed + tests.passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
