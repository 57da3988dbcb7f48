import { availableParallelism } from 'node:os';
import { refuse } from './config-rules.ts';
import type { Environment } from './environment.ts';
import { gatewayTimeoutMs } from './messages/messages.ts';

/** With one connection per worker, each transaction would block all other requests of the worker. */
const connectionsPerWorker = 2;

function hashConcurrencyOf(env: Environment): number {
  return env.HASH_CONCURRENCY ?? availableParallelism();
}

/**
 * `auto` means one process on one or two cores or with the embedded database. Otherwise it means one worker per core,
 * but no more than DATABASE_POOL_SIZE and HASH_CONCURRENCY can supply.
 */
export function toWorkerCount(env: Environment, cores = availableParallelism()): number {
  if (env.WORKERS !== 'auto') return env.WORKERS;
  if (env.DATABASE_URL === undefined || cores <= 2) return 1;
  const divisible = Math.floor(env.DATABASE_POOL_SIZE / connectionsPerWorker);
  return Math.max(1, Math.min(cores, divisible, hashConcurrencyOf(env)));
}

/** Each worker needs a hash thread and `connectionsPerWorker` connections. */
export function problemsOfWorkers(env: Environment): string[] {
  const { WORKERS: workers, DATABASE_POOL_SIZE: connections } = env;
  if (workers === 'auto' || workers === 1) return [];
  if (env.DATABASE_URL === undefined)
    return [
      'WORKERS: only one process can use the embedded database: set DATABASE_URL, or WORKERS to 1 or auto',
    ];
  const hashes = hashConcurrencyOf(env);
  return [
    ...refuse(
      hashes < workers,
      `WORKERS: ${workers} workers need HASH_CONCURRENCY to be at least ${workers}, one for each; it is ${hashes}`,
    ),
    ...refuse(
      connections < workers * connectionsPerWorker,
      `WORKERS: ${workers} workers need DATABASE_POOL_SIZE to be at least ${workers * connectionsPerWorker}, ${connectionsPerWorker} for each; it is ${connections}`,
    ),
  ];
}

/** The time limits of a shutdown. The process ends within their sum. */
export type StopSettings = {
  /** The time between the failing readiness probe and the closed port, in which load balancers notice the probe. */
  drainSeconds: number;
  /**
   * The time for requests in flight: the sum of the longest waits for a hash, a connection, a statement and a gateway.
   */
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
