import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { Client, Pool } from 'pg';
import type { ClientConfig, PoolClient } from 'pg';
import * as v from 'valibot';
import type { Log } from '../lib/log.ts';
import type { Config } from '../config.ts';
import { createStatementNames, isOutdatedName } from './statement-names.ts';
import {
  ReadOnlyServerError,
  UnansweredError,
  isPoolBusy,
  isReadOnlyServer,
  poolBusy,
} from './unavailable.ts';

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

/** What every connection of a pool is lent on. */
type Terms = {
  connectionMs: number;
  statementMs: number;
  nameOf: (text: string) => string | undefined;
  noteUnanswered: () => void;
  leaveServer: (url: string) => void;
};

/** A connection of the pool, once it has been verified. */
type Connection = {
  client: PoolClient;
  url: string;
  /** Whether statements may be sent by name. Behind a pooler they may not: each transaction may have another server process. */
  isNaming: boolean;
};

/**
 * Connections to a PostgreSQL server that outlive what happens to it. Where `settings.urls` names several servers, connections go to the one
 * that was writable last, and to the next one once that cannot be written to.
 */
export function createServerPool(
  settings: ServerSettings,
  log: Log,
): PostgresPool & { counts: () => ConnectionCounts } {
  const connectionMs = settings.connectionTimeoutSeconds * 1000;
  const statementMs = settings.statementTimeoutSeconds * 1000;
  const { urls } = settings;
  let [currentUrl] = urls;
  const connections = new WeakMap<PoolClient, Connection>();

  class CurrentClient extends Client {
    constructor(options?: ClientConfig) {
      super({ ...options, connectionString: currentUrl });
    }
  }

  const pool = new Pool({
    Client: CurrentClient,
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
  /** Makes the next connection go to another server, unless that has happened since `url` was used. */
  const leaveServer = (url: string): void => {
    if (url === currentUrl) currentUrl = urls[(urls.indexOf(url) + 1) % urls.length] ?? url;
  };
  const terms: Terms = {
    connectionMs,
    statementMs,
    nameOf: createStatementNames(),
    noteUnanswered: () => void (unansweredMs = performance.now()),
    leaveServer,
  };

  /** @throws when a request that finds no free connection would wait in vain. */
  function refuseHopelessWait(): void {
    if (pool.idleCount > 0 || pool.totalCount < settings.poolSize) return;
    const nowMs = performance.now();
    // A request thus waits for one connection and one statement at most: after the first wait it is not given a second one.
    if (nowMs - unansweredMs < connectionMs) throw new UnansweredError();
    if (nowMs - failedMs < connectionMs && pool.waitingCount >= settings.poolSize * waitingPerConnection)
      throw new Error(`${poolBusy}: too many are waiting already`);
  }

  async function borrow(url: string): Promise<PostgresPoolClient> {
    const client = await pool.connect();
    const known = connections.get(client);
    if (known?.url === url) return lend(known, terms);
    if (known !== undefined) {
      // left over from before the pool left that server
      client.release(true);
      return borrow(url);
    }
    const connection: Connection = { client, url, isNaming: false };
    const lent = lend(connection, terms);
    try {
      connection.isNaming = await verify(lent, client, urls.length > 1);
    } catch (error) {
      lent.release(true);
      throw error;
    }
    connections.set(client, connection);
    return lent;
  }

  return {
    options: pool.options,
    async connect() {
      refuseHopelessWait();
      for (let tried = 1; ; tried += 1) {
        const url = currentUrl;
        try {
          return await borrow(url);
        } catch (error) {
          failedMs = performance.now();
          if (isPoolBusy(error) || tried >= urls.length) throw error;
          leaveServer(url);
        }
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
function lend(connection: Connection, terms: Terms): PostgresPoolClient {
  const { client } = connection;
  /** Set once a statement was given up: whether the server has ended it since. */
  let ending: Promise<boolean> | undefined;
  let isReadOnly = false;

  const send = (text: string, parameters: readonly unknown[], name: string | undefined): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (ending !== undefined) throw new UnansweredError();
      const answer = client.query({ text, values: [...parameters], ...(name !== undefined && { name }) });
      const timer = setTimeout(() => {
        terms.noteUnanswered();
        ending = endStatement(client, answer, terms.connectionMs);
        reject(new UnansweredError());
      }, terms.statementMs);
      answer.then(resolve, reject).finally(() => clearTimeout(timer));
    });

  async function ask(text: string, parameters: readonly unknown[]): Promise<unknown> {
    const name = connection.isNaming ? terms.nameOf(text) : undefined;
    const isInTransaction = client.getTransactionStatus() !== 'I';
    try {
      return await send(text, parameters, name);
    } catch (error) {
      if (isReadOnlyServer(error)) {
        isReadOnly = true;
        terms.leaveServer(connection.url);
      }
      if (name === undefined || !isOutdatedName(error)) throw error;
      connection.isNaming = false;
      // the server has given the transaction up; the caller's next attempt goes without names
      if (isInTransaction) throw error;
      return send(text, parameters, undefined);
    }
  }
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query(asked: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof asked !== 'string') throw new Error('Cursors are not used here');
    return ask(asked, parameters);
  }
  return {
    query,
    release(destroy) {
      if (ending === undefined) client.release(destroy === true || isReadOnly);
      else void ending.then((isOver) => client.release(!isOver || client.getTransactionStatus() !== 'I'));
    },
  };
}

/**
 * Whether a new connection has a server process of its own: a pooler gives clients process ids of its own making.
 * @throws ReadOnlyServerError for a server that cannot be written to, when another one may be.
 */
async function verify(lent: PostgresPoolClient, client: PoolClient, hasOthers: boolean): Promise<boolean> {
  const { rows } = await lent.query<{ pid: number; readOnly: string }>(
    `select pg_backend_pid() as pid, current_setting('transaction_read_only') as "readOnly"`,
    [],
  );
  if (hasOthers && rows[0]?.readOnly === 'on') throw new ReadOnlyServerError();
  return v.is(cancelKey, client) && client.processID === rows[0]?.pid;
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
