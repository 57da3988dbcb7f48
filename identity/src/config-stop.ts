import type { Environment } from './environment.ts';
import { gatewayTimeoutMs } from './messages/messages.ts';

/** How a process leaves that is asked to: within both of these together, which the settings of what a request may wait for say. */
export type StopSettings = {
  /** Between readiness going off and the port closing, for load balancers to see it. */
  drainSeconds: number;
  /** For what has been taken: the longest that a request waits for a hash, a connection, a statement and a gateway. */
  finishSeconds: number;
};

/**
 * Derived, so that nobody can set them against each other: whoever lets sign-ins wait longer for their hash, or for the database,
 * has processes that take as much longer to leave.
 */
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
