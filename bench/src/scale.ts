import { setTimeout as wait } from 'node:timers/promises';
import { demoParty } from '@anteroom/testkit/demo-users';
import { beginSignIn, redeemCode, signInWithPassword } from '@anteroom/testkit/sign-in-visit';
import { createVisitor } from '@anteroom/testkit/visitor';
import { Client } from 'pg';
import { findFreePort } from '../../tools/start/ports.ts';
import { startService, stopService, waitUntilReady } from '../../tools/start/service.ts';
import type { Service } from '../../tools/start/service.ts';
import { inSchema, openBenchServer } from './bench-server.ts';
import { median, percentile } from './figure.ts';
import type { Bench, Figure } from './figure.ts';
import { fillWithPeople, personOf } from './scale-people.ts';
import type { Size } from './scale-people.ts';

const small: Size = { people: 1_000, sites: 50 };
const large: Size = { people: 1_000_000, sites: 50_000 };
const demoPort = 4401;
/** The number of measured sign-ins per size. Sizes alternate, after `warmUp` sign-ins to fill the caches. */
const signIns = 200;
const warmUp = 40;
/** The time after which an idle PostgreSQL backend has reported its statistics. */
const statisticsSeconds = 12;
/** A sign-in must not scan tables with more rows than this. */
const manyRows = 10_000;

interface Filled {
  size: Size;
  service: Service;
  issuer: string;
  milliseconds: number[];
}

async function start(url: string, size: Size): Promise<Filled> {
  const port = await findFreePort();
  const service = startService('The sign-in service', 'identity/src/main.ts', {
    PORT: String(port),
    DEMO_PORT: String(demoPort),
    DATABASE_URL: url,
    TRUSTED_PROXIES: '127.0.0.1,::1',
    WEB_DIST: 'none',
    LOG_LEVEL: 'error',
  });
  await waitUntilReady(service, { port, path: '/health/ready', publicHost: `localhost:${port}` });
  return { size, service, issuer: `http://localhost:${port}`, milliseconds: [] };
}

/** Performs a complete sign-in with the site list and tokens, without other load. */
async function signInOnce({ issuer, size, milliseconds }: Filled, turn: number): Promise<void> {
  const visitor = createVisitor({ 'X-Forwarded-For': `10.0.${(turn >> 8) & 255}.${turn & 255}` });
  const startedMs = performance.now();
  const signIn = await beginSignIn(visitor, issuer, demoParty(demoPort));
  const location = await signInWithPassword(signIn, personOf(turn, size));
  await visitor.ask(
    `${issuer}/api/ui/sites?${new URLSearchParams({ returnUrl: signIn.returnUrl }).toString()}`,
  );
  await redeemCode(signIn, location);
  if (turn >= warmUp) milliseconds.push(performance.now() - startedMs);
}

/** The number of sequential scans of each large table. */
async function countWholeReads(url: string, schema: string): Promise<Map<string, number>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ relname: string; seq_scan: string }>(
    'select relname, seq_scan from pg_stat_user_tables where schemaname = $1 and n_live_tup > $2',
    [schema, manyRows],
  );
  await client.end();
  return new Map(rows.map(({ relname, seq_scan }) => [relname, Number(seq_scan)]));
}

async function run(): Promise<Figure[]> {
  const server = await openBenchServer();
  const filled: Filled[] = [];
  try {
    const schemas = [
      ['bench_scale_small', small],
      ['bench_scale_large', large],
    ] as const;
    for (const [schema, size] of schemas) {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      await client.query(`create schema if not exists ${schema}`);
      await client.end();
      const url = inSchema(server.url, schema);
      await fillWithPeople(url, size, demoPort);
      filled.push(await start(url, size));
    }
    await wait(statisticsSeconds * 1000);
    const before = await countWholeReads(server.url, 'bench_scale_large');
    // alternates between the sizes, so that other load on the machine affects both alike
    for (let turn = 0; turn < warmUp + signIns; turn += 1) {
      for (const one of filled) await signInOnce(one, turn);
    }
    await wait(statisticsSeconds * 1000);
    const after = await countWholeReads(server.url, 'bench_scale_large');
    const readWhole = [...after].filter(([table, count]) => count > (before.get(table) ?? 0));
    for (const [table, count] of readWhole) {
      process.stdout.write(`  read whole: ${table}, ${count - (before.get(table) ?? 0)} times\n`);
    }
    const [few, many] = filled.map(({ milliseconds }) => milliseconds);
    if (!few || !many) throw new Error('Nothing was measured.');
    return [
      { what: 'a sign-in, 1,000 people and 50 sites', value: median(few), unit: 'ms' },
      { what: 'a sign-in, 1,000,000 people and 50,000 sites', value: median(many), unit: 'ms' },
      {
        what: 'the second of the first, in the middle',
        value: median(many) / median(few),
        unit: '×',
        budget: { atMost: 1.1 },
      },
      {
        what: 'the same of the slowest twentieth',
        value: percentile(many, 0.95) / percentile(few, 0.95),
        unit: '×',
      },
      {
        what: 'large tables read whole meanwhile',
        value: readWhole.length,
        unit: 'tables',
        budget: { atMost: 0 },
      },
    ];
  } finally {
    await Promise.all(filled.map(({ service }) => stopService(service)));
    await server.stop();
  }
}

export const scale: Bench = {
  name: 'scale',
  about: 'a sign-in among 1,000,000 people and 50,000 sites against one among 1,000 and 50',
  run,
};
