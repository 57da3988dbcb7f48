import type { FastifyInstance } from 'fastify';
import { databaseRetryAfterSeconds } from '../store/unavailable.ts';
import { ContractError } from './errors.ts';

/** Turned off first when the process is asked to stop, so that a load balancer sends nothing new. */
export type Readiness = { isStopping: () => boolean; stop: () => void };

export function createReadiness(): Readiness {
  let stopping = false;
  return {
    isStopping: () => stopping,
    stop: () => {
      stopping = true;
    },
  };
}

/** `live`: the process answers. `ready`: it can serve visitors; the reasons why it cannot are not for everybody. */
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
