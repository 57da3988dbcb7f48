// npm run check: everything that a machine can hold without running the product.
import { availableParallelism } from 'node:os';
import { checkStages } from './check/stages.ts';
import { closeWith, runStages } from './stage.ts';

closeWith(await runStages(checkStages, availableParallelism()));
