import type { Environment } from './environment.ts';
import { gatewayTimeoutMs } from '../messages/messages.ts';

/** The time limits of a shutdown. The process ends within their sum. */
export type StopSettings = {
  /** The time between the failing readiness probe and the closed port, in which load balancers notice the probe. */
  drainSeconds: number;
  /**
   * The time for requests in flight: the sum of the longest waits for a hash, a connection, a statement and a gateway.
   */
  finishSeconds: number;
};

/** A wait for a connection is hopeless sooner than a statement: the visitor waits for both. */
export const connectionTimeoutSeconds = (env: Environment): number =>
  env.DATABASE_STATEMENT_TIMEOUT_SECONDS / 2;

/** Derives the limits from the timeouts of requests, so that the settings cannot contradict each other. */
export function toStopSettings(env: Environment): StopSettings {
  return {
    drainSeconds: env.DRAIN_SECONDS ?? (env.NODE_ENV === 'production' ? 3 : 0),
    finishSeconds:
      env.HASH_QUEUE_SECONDS +
      connectionTimeoutSeconds(env) +
      env.DATABASE_STATEMENT_TIMEOUT_SECONDS +
      gatewayTimeoutMs / 1000,
  };
}
