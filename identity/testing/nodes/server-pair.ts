import { Pool } from 'pg';
import { startTemporaryPostgres } from '../../../tools/test/postgres.ts';
import type { TemporaryPostgres } from '../../../tools/test/postgres.ts';
import { until } from '../until.ts';
import { addManyUsers } from './many-users.ts';
import { createServerSchema } from './server-schema.ts';
import { startNodes } from './use-nodes.ts';
import type { Nodes } from './use-nodes.ts';

/** A primary and its synchronous standby. */
export type ServerPair = {
  primaryUrl: string;
  standbyUrl: string;
  /** Resolves once the primary waits for the standby at every commit. */
  beginSynchronous: () => Promise<void>;
  /** Ends the primary or makes it stop answering, without notice. */
  losePrimary: () => Promise<void>;
  /** Resolves once the standby accepts changes. */
  promoteStandby: () => Promise<void>;
  /** Starts the old primary again as a standby of the new one. Returns its address. */
  returnPrimary: () => Promise<string>;
  stop: () => Promise<void>;
};

/** The defaults of production. Other tests have longer limits, for a busy machine. */
export const productionLimits = {
  DATABASE_STATEMENT_TIMEOUT_SECONDS: '2',
};

/** Runs statements on one connection. Returns the rows of the last one. */
export async function ask(url: string, ...statements: string[]): Promise<unknown[]> {
  const pool = new Pool({ connectionString: url, max: 1 });
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await pool.query(statement));
    return rows;
  } finally {
    await pool.end();
  }
}

/** Resolves once the condition is true on the server. */
export async function waitFor(url: string, condition: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 });
  pool.on('error', () => undefined);
  try {
    await until(async () => {
      const answer = await pool
        .query<{ holds: boolean }>(`select ${condition} as holds`)
        .catch(() => undefined);
      return answer?.rows[0]?.holds === true;
    });
  } finally {
    await pool.end();
  }
}

export const waitForSynchronousStandby = (primaryUrl: string): Promise<void> =>
  waitFor(primaryUrl, `exists (select from pg_stat_replication where sync_state in ('sync', 'quorum'))`);

/** Starts two nodes that know both servers, and adds users, once the standby is synchronous. */
export async function startNodesOnPair(
  { primaryUrl, standbyUrl, beginSynchronous }: ServerPair,
  env: Record<string, string>,
): Promise<{ nodes: Nodes; users: Awaited<ReturnType<typeof addManyUsers>> }> {
  const schema = await createServerSchema('synchronous_commit=on', primaryUrl);
  const hosts = [primaryUrl, standbyUrl].map((url) => new URL(url).host).join(',');
  const both = { DATABASE_URL: schema.url.replace(/localhost:\d+/, hosts) };
  // The schema is not dropped, because its server is gone by then.
  const gone = { ...schema, drop: () => schema.database.destroy() };
  const nodes = await startNodes(2, { schema: gone, env: { ...env, ...both } });
  const users = await addManyUsers(schema.database, 400);
  await beginSynchronous();
  return { nodes, users };
}

/** Starts a pair without Patroni: the test itself performs the operator's steps (docs/high-availability.md). */
export async function startPairByHand(): Promise<ServerPair> {
  let primary = await startServer();
  const standby = await startServer(primary.url);
  const awaitStandbys = (url: string, names: string) =>
    ask(url, `alter system set synchronous_standby_names = '${names}'`, 'select pg_reload_conf()');
  return {
    primaryUrl: primary.url,
    standbyUrl: standby.url,
    async beginSynchronous() {
      await awaitStandbys(primary.url, '*');
      await waitForSynchronousStandby(primary.url);
    },
    losePrimary: () => primary.crash(),
    async promoteStandby() {
      await awaitStandbys(standby.url, '');
      await ask(standby.url, 'select pg_promote()');
    },
    async returnPrimary() {
      await primary.stop();
      primary = await startServer(standby.url);
      return primary.url;
    },
    async stop() {
      await Promise.all([primary.stop(), standby.stop()]);
    },
  };
}

async function startServer(standbyOf?: string): Promise<TemporaryPostgres> {
  const server = await startTemporaryPostgres(standbyOf);
  if (server === undefined) throw new Error('PostgreSQL is installed, but did not start');
  return server;
}
