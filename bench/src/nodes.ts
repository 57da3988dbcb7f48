import { demoParty } from '@anteroom/testkit/demo-users';
import { beginSignIn, redeemCode, signInWithPassword } from '@anteroom/testkit/sign-in-visit';
import { createVisitor } from '@anteroom/testkit/visitor';
import { Client } from 'pg';
import { startRoundRobin } from '../../identity/testing/nodes/round-robin.ts';
import { findFreePort } from '../../tools/start/ports.ts';
import { startService, stopService, waitUntilReady } from '../../tools/start/service.ts';
import type { Service } from '../../tools/start/service.ts';
import { inSchema, openBenchServer } from './bench-server.ts';
import type { Bench, Figure } from './figure.ts';
import { fillWithPeople, personOf } from './scale-people.ts';

const seconds = 8;
const visitorsAtOnce = 8;
const demoPort = 4401;
const size = { people: 400, sites: 4 };

/** Measures complete sign-ins per second, including tokens, through a round-robin balancer. */
async function measureNodes(
  count: number,
  databaseUrl: string,
  settings: Record<string, string>,
): Promise<number> {
  const ports = await Promise.all(Array.from({ length: count }, findFreePort));
  // A function, because `publicHost` contains the balancer's port, which is known only once it listens.
  const balancer = await startRoundRobin(() => publicHost);
  const publicHost = `localhost:${balancer.port}`;
  const nodes: Service[] = ports.map((port, index) =>
    startService(`Node ${index + 1}`, 'identity/src/main.ts', {
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: `http://${publicHost}`,
      DEMO_PORT: String(demoPort),
      DATABASE_URL: databaseUrl,
      TRUSTED_PROXIES: '127.0.0.1,::1',
      WEB_DIST: 'none',
      LOG_LEVEL: 'error',
      // a long queue, because this measures throughput and not the rejection of excess requests
      HASH_QUEUE_SECONDS: '30',
      ...settings,
    }),
  );
  try {
    for (const [index, port] of ports.entries()) {
      const node = nodes[index];
      if (node) await waitUntilReady(node, { port, host: '127.0.0.1', path: '/health/ready', publicHost });
      balancer.add({ port });
    }
    let turn = 0;
    let done = 0;
    const startedMs = performance.now();
    const runRepeatedly = async (): Promise<void> => {
      while (performance.now() - startedMs < seconds * 1000) {
        turn += 1;
        const mine = turn;
        const visitor = createVisitor({ 'X-Forwarded-For': `10.0.${(mine >> 8) & 255}.${mine & 255}` });
        const signIn = await beginSignIn(visitor, `http://${publicHost}`, demoParty(demoPort));
        await redeemCode(signIn, await signInWithPassword(signIn, personOf(mine, size)));
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: visitorsAtOnce }, runRepeatedly));
    return done / ((performance.now() - startedMs) / 1000);
  } finally {
    await Promise.all(nodes.map(stopService));
    await balancer.close();
  }
}

async function run(): Promise<Figure[]> {
  const server = await openBenchServer();
  const schema = 'bench_nodes';
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query(`drop schema if exists ${schema} cascade`);
    await client.query(`create schema ${schema}`);
    const url = inSchema(server.url, schema);
    await fillWithPeople(url, size, demoPort);
    // with one concurrent hash per core, a single node uses the whole CPU; with one concurrent hash per node, two nodes
    // show the effect of a second machine
    const oneHash = { HASH_CONCURRENCY: '1' };
    const one = await measureNodes(1, url, {});
    const two = await measureNodes(2, url, {});
    const oneSmall = await measureNodes(1, url, oneHash);
    const twoSmall = await measureNodes(2, url, oneHash);
    return [
      { what: 'sign-ins, 1 node', value: one, unit: '/s' },
      { what: 'sign-ins, 2 nodes on the same cores', value: two, unit: '/s' },
      { what: 'ratio of two nodes to one, on the same cores', value: two / one, unit: '×' },
      { what: 'sign-ins, 1 node with one hash at a time', value: oneSmall, unit: '/s' },
      { what: 'sign-ins, 2 nodes with one hash at a time each', value: twoSmall, unit: '/s' },
      { what: 'ratio of two nodes to one, one hash at a time each', value: twoSmall / oneSmall, unit: '×' },
    ];
  } finally {
    await client.query(`drop schema if exists ${schema} cascade`);
    await client.end();
    await server.stop();
  }
}

export const nodes: Bench = {
  name: 'nodes',
  about: 'sign-ins per second of one node and of two on one database',
  run,
};
