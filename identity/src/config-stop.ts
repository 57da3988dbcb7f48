import type { Environment } from './environment.ts';
import { gatewayTimeoutMs } from './messages/messages.ts';

/** The time limits of a shutdown. The process ends within their sum. */
export type StopSettings = {
  /** From the failing readiness probe to the closed port, so that load balancers notice. */
  drainSeconds: number;
  /** For requests in flight: the longest wait for a hash, a connection, a statement and a gateway together. */
  finishSeconds: number;
};

/** Derives the limits from the timeouts of requests, so that the settings cannot contradict each other. */
export function toStopSettings(env: Environment): StopSettings {
  return {
    drainSeconds: env.DRAIN_SECONDS ?? (env.NODE_ENV === 'production' ? 3 : 0),
    finishSeconds:
      env.HASH_QUEUE_SECONDS +
      env.DATABASE_CONNECTION_TIMEOUT_SECONDS +
      env.DATABASE_STATEMENT_TIMEOUT_SECONDS +
      gatewayTimeoutMs / 1000,
  };
}
