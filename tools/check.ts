// npm run check: everything that a machine can hold without running the product.
import { availableParallelism } from 'node:os';
import { checkStages } from './check/stages.ts';
import { runStages } from './stage.ts';

const { passed, failed } = await runStages(checkStages, availableParallelism());
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
