import type { FastifyInstance } from 'fastify';
import { databaseRetryAfterSeconds } from '../store/unavailable.ts';
import { ContractError } from './errors.ts';

/**
 * The shutdown state. At the start of a shutdown, the node is marked as stopping, so that load balancers send no new
 * requests.
 */
export type Readiness = {
  /** Whether the node shuts down. */
  isStopping: () => boolean;
  stop: () => void;
};

export function createReadiness(): Readiness {
  let stopping = false;
  return {
    isStopping: () => stopping,
    stop: () => {
      stopping = true;
    },
  };
}

/** `live`: the process responds. `ready`: it can serve visitors; the reasons why it cannot are not public. */
export function registerHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  app.get('/health/live', () => ({ status: 'live' }));
  app.get('/health/ready', async () => {
    if (await isReady()) return { status: 'ready' };
    throw new ContractError('overloaded', {
      retryAfterSeconds: databaseRetryAfterSeconds,
      detail: 'not ready',
    });
  });
}
