import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { Client, Pool } from 'pg';
import type { ClientConfig, PoolClient } from 'pg';
import * as v from 'valibot';
import type { Log } from '../lib/log.ts';
import type { Config } from '../config/config.ts';
import { setUpConnection } from './connection-settings.ts';
import { createStatementNames, isOutdatedName } from './statement-names.ts';
import {
  ReadOnlyServerError,
  UnansweredError,
  isPoolBusy,
  isReadOnlyServer,
  poolBusy,
} from './unavailable.ts';

/** The numbers of open and idle connections, and of requests waiting for one. */
export type ConnectionCounts = { open: number; idle: number; waiting: number };

export type ServerSettings = Extract<Config['database'], { kind: 'server' }>;

/**
 * Requests of a short burst wait for a connection. New requests are rejected at once in two cases: if a request has
 * just failed to get a connection and this many still wait for each connection, or if the database has just left a
 * statement unanswered. In both cases a wait would probably fail too.
 */
const waitingPerConnection = 20;
/** The pause between two attempts on the same server while no server is known to accept writes. */
const searchPauseMs = 250;
/** The server cancels a statement this much before the node stops waiting, so that its response arrives in time. */
const answerMarginMs = 250;

/** The settings for every connection of a pool. */
type Terms = {
  connectionMs: number;
  statementMs: number;
  nameOf: (text: string) => string | undefined;
  noteUnanswered: () => void;
  /** Called if the server of a connection is read-only. */
  leaveServer: (url: string) => void;
};

/** A verified connection of the pool. */
type Connection = {
  client: PoolClient;
  url: string;
  /**
   * Whether statements can be sent by name. Behind a pooler they cannot, because each transaction may use another
   * server process.
   */
  isNaming: boolean;
};

/**
 * A pool that survives failures of the PostgreSQL server. If `settings.urls` names several servers, connections go to
 * the one that accepts writes. If that server fails, a single search asks all servers until one accepts writes, and all
 * requests wait for its result. If each request searched by itself, their connections to a silent server would fill the
 * pool. `pg` knows only one server. postgres.js waits for ever if both of two servers refuse, takes a standby for writable,
 * cancels at the first server only, and does not limit the wait for a frozen primary.
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
  // Without these two listeners a lost connection ends the process. The pool's listener handles idle connections; the
  // client's handles lent connections between two statements.
  pool.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'));
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'a database connection in use was lost'));
  });
  /** When a request last got no connection, and when a statement was last left unanswered. */
  let failedMs = Number.NEGATIVE_INFINITY;
  let unansweredMs = Number.NEGATIVE_INFINITY;
  let searching: Promise<void> | undefined;
  let isEnded = false;
  const search = (): Promise<void> =>
    (searching ??= findWritableServer(urls, connectionMs, () => isEnded).then((url) => {
      currentUrl = url;
      searching = undefined;
    }));
  /**
   * Waits for the search.
   * @throws `reason` if no server accepts writes within the time for a connection
   */
  async function waitForServer(reason: unknown): Promise<void> {
    const isFound = await Promise.race([search().then(() => true), wait(connectionMs, false)]);
    if (!isFound) throw reason;
  }
  const terms: Terms = {
    connectionMs,
    statementMs,
    nameOf: createStatementNames(),
    noteUnanswered: () => void (unansweredMs = performance.now()),
    leaveServer(url) {
      if (urls.length === 1 || url !== currentUrl) return;
      // From now on, idle connections to the failed server are not used.
      currentUrl = urls[(urls.indexOf(url) + 1) % urls.length] ?? url;
      void search();
    },
  };

  /** @throws if no connection is free and none is likely to become free in time */
  function refuseHopelessWait(): void {
    if (pool.idleCount > 0 || pool.totalCount < settings.poolSize) return;
    const nowMs = performance.now();
    // A request must not wait for a statement and then again for a connection.
    if (nowMs - unansweredMs < connectionMs) throw new UnansweredError();
    if (nowMs - failedMs < connectionMs && pool.waitingCount >= settings.poolSize * waitingPerConnection)
      throw new Error(`${poolBusy}: too many requests are already waiting`);
  }

  async function borrow(url: string): Promise<PostgresPoolClient> {
    const client = await pool.connect();
    const known = connections.get(client);
    if (known?.url === url) return lend(known, terms);
    if (known !== undefined) {
      // opened before the pool left that server
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
      if (searching !== undefined && pool.idleCount === 0)
        await waitForServer(new UnansweredError('No database server accepts writes'));
      try {
        return await borrow(currentUrl);
      } catch (error) {
        failedMs = performance.now();
        if (isPoolBusy(error) || urls.length === 1) throw error;
        await waitForServer(error);
        return borrow(currentUrl);
      }
    },
    end() {
      isEnded = true;
      return pool.end();
    },
    counts: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

/**
 * Lends a connection with a limit of `statementMs` per statement. The server's own `statement_timeout` does not end a
 * COMMIT that waits for a synchronous standby, and closing the connection does not either. So after the limit the
 * request fails, the statement is cancelled, and the connection keeps its slot in the pool until the server has ended
 * the statement. The server therefore never has more connections than the pool.
 */
function lend(connection: Connection, terms: Terms): PostgresPoolClient {
  const { client } = connection;
  /** Set once a statement was given up: resolves to whether the server has ended it. */
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
      // the server has aborted the transaction; the caller's next attempt uses no names
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
 * Sets a new connection up. Returns whether it has its own server process: a pooler gives clients made-up process ids.
 * @throws ReadOnlyServerError for a read-only server, if there are others
 * @throws DatabaseSettingError
 */
async function verify(lent: PostgresPoolClient, client: PoolClient, hasOthers: boolean): Promise<boolean> {
  const { isOwnProcess, isReadOnly } = await setUpConnection(
    lent,
    (pid) => v.is(cancelKey, client) && client.processID === pid,
  );
  if (hasOthers && isReadOnly) throw new ReadOnlyServerError();
  return isOwnProcess;
}

/** Asks all servers repeatedly and resolves to the first one that accepts writes. Never resolves once `isOver`. */
function findWritableServer(
  urls: readonly string[],
  connectionMs: number,
  isOver: () => boolean,
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let isFound = false;
  const askRepeatedly = async (url: string): Promise<void> => {
    while (!isFound && !isOver()) {
      if (await acceptsWrites(url, connectionMs)) {
        isFound = true;
        return resolve(url);
      }
      await wait(searchPauseMs, undefined, { ref: false });
    }
  };
  for (const url of urls) void askRepeatedly(url);
  return promise;
}

async function acceptsWrites(url: string, connectionMs: number): Promise<boolean> {
  const client = new Client({
    connectionString: url,
    application_name: 'anteroom',
    connectionTimeoutMillis: connectionMs,
    query_timeout: connectionMs,
  });
  // an error here means the same as no answer
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ readOnly: string }>(
      `select current_setting('transaction_read_only') as "readOnly"`,
    );
    return rows[0]?.readOnly === 'off';
  } catch {
    return false;
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** Cancels the statement; resolves to whether the server has ended it within `waitMs`. */
async function endStatement(client: PoolClient, answer: Promise<unknown>, waitMs: number): Promise<boolean> {
  const cancelling = sendCancelRequest(client);
  // The server closes that connection after it has acted. Until then, the request could cancel the next statement.
  const isOver = await Promise.race([
    Promise.allSettled([answer, cancelling && once(cancelling, 'close')]).then(() => true),
    wait(waitMs, false),
  ]);
  cancelling?.destroy();
  return isOver;
}

/** The key that `pg` keeps for a connection; poolers without cancel requests provide none. */
const cancelKey = v.object({
  host: v.string(),
  port: v.number(),
  processID: v.number(),
  secretKey: v.number(),
});

/**
 * PostgreSQL's CancelRequest, on a separate connection that uses no slot on the server; unencrypted, like libpq's
 * `PQcancel`. The request may fail: the statement then counts as unanswered.
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
