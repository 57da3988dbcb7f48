import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { Pool } from 'pg';
import type { PoolClient } from 'pg';
import type { Logger } from 'pino';
import * as v from 'valibot';
import type { Config } from '../config.ts';
import { UnansweredError, poolBusy } from './unavailable.ts';

/** How many are open, of these without work, and how many requests wait for one. */
export type ConnectionCounts = { open: number; idle: number; waiting: number };

export type ServerSettings = Extract<Config['database'], { kind: 'server' }>;

/**
 * A burst may wait: it is over in a moment. But once a request has waited in vain and so many wait for each connection still, or once the
 * database has left a statement unanswered, a new request would wait in vain too and is refused at once.
 */
const waitingPerConnection = 20;
/** The server ends a statement this much before the node stops waiting for it, so that its answer arrives in time. */
const answerMarginMs = 250;

/** Connections to a PostgreSQL server that outlive what happens to it. */
export function createServerPool(
  settings: ServerSettings,
  log: Logger,
): PostgresPool & { counts: () => ConnectionCounts } {
  const connectionMs = settings.connectionTimeoutSeconds * 1000;
  const statementMs = settings.statementTimeoutSeconds * 1000;
  const pool = new Pool({
    connectionString: settings.url,
    max: settings.poolSize,
    application_name: 'anteroom',
    keepAlive: true,
    connectionTimeoutMillis: connectionMs,
    statement_timeout: statementMs - answerMarginMs,
    idle_in_transaction_session_timeout: statementMs * 2,
  });
  // Without these two listeners a connection that the server drops ends the process: the pool's is for idle
  // connections, the client's for one that is lent out and between two statements.
  pool.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'));
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'a database connection in use was lost'));
  });
  /** When a request last got no connection, and when a statement was last left unanswered. */
  let failedMs = Number.NEGATIVE_INFINITY;
  let unansweredMs = Number.NEGATIVE_INFINITY;
  const limits = { connectionMs, statementMs, noteUnanswered: () => void (unansweredMs = performance.now()) };

  /** @throws when a request that finds no free connection would wait in vain. */
  function refuseHopelessWait(): void {
    if (pool.idleCount > 0 || pool.totalCount < settings.poolSize) return;
    const nowMs = performance.now();
    // A request thus waits for one connection and one statement at most: after the first wait it is not given a second one.
    if (nowMs - unansweredMs < connectionMs) throw new UnansweredError();
    if (nowMs - failedMs < connectionMs && pool.waitingCount >= settings.poolSize * waitingPerConnection)
      throw new Error(`${poolBusy}: too many are waiting already`);
  }

  return {
    options: pool.options,
    async connect() {
      refuseHopelessWait();
      try {
        return lend(await pool.connect(), limits);
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
 * A connection whose statements are waited for `statementMs` each. The server's own `statement_timeout` does not end a COMMIT that waits for a
 * synchronous standby, nor does a closed connection: past the limit the request is answered, the statement is cancelled, and the connection
 * keeps its place in the pool until the server has ended the statement, so that the server never has more connections than the pool.
 */
function lend(
  client: PoolClient,
  limits: { connectionMs: number; statementMs: number; noteUnanswered: () => void },
): PostgresPoolClient {
  /** Set once a statement was given up: whether the server has ended it since. */
  let ending: Promise<boolean> | undefined;

  const ask = (text: string, parameters: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (ending !== undefined) throw new UnansweredError();
      const answer = client.query(text, [...parameters]);
      const timer = setTimeout(() => {
        limits.noteUnanswered();
        ending = endStatement(client, answer, limits.connectionMs);
        reject(new UnansweredError());
      }, limits.statementMs);
      answer.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query(asked: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof asked !== 'string') throw new Error('Cursors are not used here');
    return ask(asked, parameters);
  }
  return {
    query,
    release(destroy) {
      if (ending === undefined) client.release(destroy === true);
      else void ending.then((isOver) => client.release(!isOver || client.getTransactionStatus() !== 'I'));
    },
  };
}

/** Cancels the statement; resolves with whether the server has ended it within `waitMs`. */
async function endStatement(client: PoolClient, answer: Promise<unknown>, waitMs: number): Promise<boolean> {
  const cancelling = sendCancelRequest(client);
  // The server closes that connection once it has acted: earlier, the request could hit the next statement.
  const isOver = await Promise.race([
    Promise.allSettled([answer, cancelling && once(cancelling, 'close')]).then(() => true),
    wait(waitMs, false),
  ]);
  cancelling?.destroy();
  return isOver;
}

/** What `pg` keeps of a connection for this purpose; poolers that take no cancel requests give no key. */
const cancelKey = v.object({
  host: v.string(),
  port: v.number(),
  processID: v.number(),
  secretKey: v.number(),
});

/**
 * PostgreSQL's CancelRequest, on a connection of its own that takes no place on the server; unencrypted, as libpq's `PQcancel` sends it.
 * Nothing depends on its success: a server that takes none is one that answers nothing.
 */
function sendCancelRequest(client: PoolClient): Socket | undefined {
  const { success, output } = v.safeParse(cancelKey, client);
  if (!success) return undefined;
  const message = Buffer.alloc(16);
  message.writeInt32BE(16, 0);
  message.writeInt32BE(80_877_102, 4);
  message.writeInt32BE(output.processID, 8);
  message.writeInt32BE(output.secretKey, 12);
  const { host, port } = output;
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.on('error', () => undefined);
  socket.resume();
  return socket.end(message);
}
