import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { Pool } from 'pg';
import type { PoolClient } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';

/** How many are open, of these without work, and how many requests wait for one. */
export type ConnectionCounts = { open: number; idle: number; waiting: number };

type ServerSettings = Extract<Config['database'], { kind: 'server' }>;

/**
 * A burst may wait: it is over in a moment. But once somebody has waited in vain and so many wait for each connection still, whoever comes
 * now would wait in vain too, and is told so at once.
 */
const waitingPerConnection = 20;

const readTimeout = 'Query read timeout';

/** Connections to a PostgreSQL server that outlive what happens to it. */
export function createServerPool(
  settings: ServerSettings,
  log: Logger,
): PostgresPool & { counts: () => ConnectionCounts } {
  const pool = new Pool({
    connectionString: settings.url,
    max: settings.poolSize,
    application_name: 'anteroom',
    keepAlive: true,
    connectionTimeoutMillis: settings.connectionTimeoutSeconds * 1000,
    statement_timeout: settings.statementTimeoutSeconds * 1000,
    // A statement whose answer never comes (a network that swallows packets) ends here a little after the server would have.
    query_timeout: (settings.statementTimeoutSeconds + 1) * 1000,
    idle_in_transaction_session_timeout: settings.statementTimeoutSeconds * 2000,
  });
  // Without these two listeners a connection that the server drops ends the process: the pool's is for idle
  // connections, the client's for one that is lent out and between two statements.
  pool.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'));
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'a database connection in use was lost'));
  });
  /** When somebody last got no connection. */
  let failedMs = Number.NEGATIVE_INFINITY;
  return {
    options: pool.options,
    async connect() {
      const isHopeless = performance.now() - failedMs < settings.connectionTimeoutSeconds * 1000;
      if (isHopeless && pool.waitingCount >= settings.poolSize * waitingPerConnection) {
        throw new Error('timeout exceeded when trying to connect: too many are waiting already');
      }
      try {
        return lend(await pool.connect());
      } catch (error) {
        failedMs = performance.now();
        throw error;
      }
    },
    end: () => pool.end(),
    counts: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

/**
 * A connection whose statement was never answered is of no more use: the server may have gone without a word, and the pool would lend
 * it out again and again until the operating system gives it up a quarter of an hour later. It is closed instead of given back.
 */
function lend(client: PoolClient): PostgresPoolClient {
  let isSilent = false;
  const ask = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    if (isSilent) throw new Error(readTimeout);
    try {
      return await client.query(text, [...parameters]);
    } catch (error) {
      isSilent = error instanceof Error && error.message === readTimeout;
      throw error;
    }
  };
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query(asked: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof asked !== 'string') throw new Error('Cursors are not used here');
    return ask(asked, parameters);
  }
  return {
    query,
    release: (destroy) => client.release(destroy === true || isSilent),
  };
}
