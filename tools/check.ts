// npm run check: all checks that do not run the product.
import { availableParallelism } from 'node:os';
import { checkStages } from './check/stages.ts';
import { closeWith, runStages } from './stage.ts';

closeWith(await runStages(checkStages, availableParallelism()));
