import { afterAll, afterEach, beforeAll } from 'vitest';
import { publicUrl } from '../application.ts';
import { createBrowser } from '../browser.ts';
import type { Browser, Reachable } from '../browser.ts';
import type { Database } from '../../src/store/schema.ts';
import { reachOverHttp } from './http-service.ts';
import { startNode } from './node-process.ts';
import type { NodeProcess } from './node-process.ts';
import { startRoundRobin } from './round-robin.ts';
import type { RoundRobin } from './round-robin.ts';
import { createServerSchema } from './server-schema.ts';
import type { ServerSchema } from './server-schema.ts';

export type Nodes = {
  each: NodeProcess[];
  /** The load balancer. */
  app: Reachable;
  /** A single node. */
  at: (index: number) => Reachable;
  /** The database of the nodes, with separate connections. */
  database: Database;
  schema: ServerSchema;
  balancer: RoundRobin;
  /** Opens a browser that uses the load balancer. */
  openBrowser: () => Browser;
  /** Starts another node on the same database, behind the load balancer. */
  add: (env?: Record<string, string>, options?: Parameters<typeof startNode>[1]) => Promise<NodeProcess>;
  close: () => Promise<void>;
};

/** Starts nodes in their own processes, on one PostgreSQL schema with demo data, behind a load balancer without sticky sessions. */
export async function startNodes(
  count: number,
  { env = {}, schema: given }: { env?: Record<string, string>; schema?: ServerSchema } = {},
): Promise<Nodes> {
  const schema = given ?? (await createServerSchema());
  const balancer = await startRoundRobin(() => new URL(publicUrl).host);
  const each: NodeProcess[] = [];
  const reached = new Map<number, ReturnType<typeof reachOverHttp>>();

  const at = (port: number) => {
    const known = reached.get(port) ?? reachOverHttp(port);
    reached.set(port, known);
    return known;
  };
  const add: Nodes['add'] = async (more = {}, options = {}) => {
    const node = await startNode({ DATABASE_URL: schema.url, ...env, ...more }, options);
    each.push(node);
    balancer.add(node);
    return node;
  };
  // concurrently, like an orchestrator: one node migrates and seeds, the others wait
  await Promise.all(Array.from({ length: count }, () => add()));

  const app = at(balancer.port);
  return {
    each,
    app,
    at: (index) => at(each[index]?.port ?? 0),
    database: schema.database,
    schema,
    balancer,
    openBrowser: () => createBrowser(app, publicUrl),
    add,
    close: async () => {
      for (const { close } of reached.values()) close();
      await Promise.all(each.map(async (node) => node.kill()));
      await balancer.close();
      await schema.drop();
    },
  };
}

/** Starts nodes for the tests of one file. */
export function useNodes(count: number, options: Parameters<typeof startNodes>[1] = {}): () => Nodes {
  let nodes: Nodes | undefined;
  beforeAll(async () => {
    nodes = await startNodes(count, options);
  });
  // prints the logs of the nodes after a failure
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') process.stderr.write(latestProblems(nodes));
  });
  afterAll(() => nodes?.close());
  return () => {
    if (nodes === undefined) throw new Error('The nodes are not available before the first test runs');
    return nodes;
  };
}

/** The last warnings and errors of each node. */
function latestProblems(nodes: Nodes | undefined): string {
  return (nodes?.each ?? [])
    .map(({ port, child }) => {
      const lines = child
        .output()
        .split('\n')
        .filter((line) => /"level":"(?:warn|error|fatal)"/.test(line));
      return `node ${port}:\n${lines.slice(-5).join('\n')}\n`;
    })
    .join('');
}
