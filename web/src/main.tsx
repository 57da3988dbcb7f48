import { start } from './boot/start.ts';
import { loadLate } from './late-part.ts';

start()
  .then(loadLate)
  .then((late) => late?.startLate())
  .catch(() => import('./boot/start-failure.ts').then((part) => part.showStartFailure()));
