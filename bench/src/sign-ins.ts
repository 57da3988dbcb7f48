import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { calls } from '@anteroom/contract';
import { demoParty, demoPassword } from '@anteroom/testkit/demo-users';
import {
  authorizationParameters,
  beginSignIn,
  redeemCode,
  sendPassword,
  signInWithPassword,
} from '@anteroom/testkit/sign-in-visit';
import type { Credentials, OpenSignIn } from '@anteroom/testkit/sign-in-visit';
import { createVisitor } from '@anteroom/testkit/visitor';
import type { Visitor } from '@anteroom/testkit/visitor';
import { hash, verify } from '@node-rs/argon2';
import { findFreePort } from '../../tools/start/ports.ts';
import { startService, stopService, waitUntilReady } from '../../tools/start/service.ts';
import { startTemporaryPostgres } from '../../tools/test/postgres.ts';
import type { TemporaryPostgres } from '../../tools/test/postgres.ts';
import { median, percentile } from './figure.ts';
import type { Bench, Figure } from './figure.ts';
import { seedPeople } from './people.ts';
import { measurePeer } from './peer.ts';
import { postgresProcessorSeconds } from './processor-time.ts';
import { measureRate, seconds, startProgram, visitFrom, visitorsAtOnce, watch } from './rates.ts';
import type { Rate, Watched } from './rates.ts';

const offeredPerSecond = 500;
const flowsOneByOne = 15;

const demoPort = 4401;
const party = demoParty(demoPort);
const counted = { ready: 64, mustChange: 512 };

function ownProcessorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

/** Measures the throughput of argon2id hashes alone, with the service's parameters and one hash per core. */
async function measureBareHash(): Promise<Rate> {
  const stored = await hash(demoPassword, {
    memoryCost: 19_456,
    timeCost: 2,
    parallelism: 1,
  });
  return measureRate(availableParallelism(), ownProcessorSeconds, async () => verify(stored, demoPassword));
}

const meanOf = (one: Rate, other: Rate): Rate => ({
  perSecond: (one.perSecond + other.perSecond) / 2,
  processorMs: (one.processorMs + other.processorMs) / 2,
});

async function measureAuthenticate(
  issuer: string,
  people: readonly Credentials[],
  expectedPerSecond: number,
  { processorSeconds }: Watched,
): Promise<Rate> {
  const open: OpenSignIn[] = [];
  const count = Math.ceil(expectedPerSecond * seconds * 1.1);
  const prepare = async (): Promise<void> => {
    while (open.length < count) open.push(await beginSignIn(visitFrom(open.length), issuer, party));
  };
  await Promise.all(Array.from({ length: visitorsAtOnce }, prepare));
  let turn = 0;
  return measureRate(visitorsAtOnce, processorSeconds, async () => {
    const signIn = open.pop();
    if (!signIn) throw new Error('The service was faster than a bare hash: more sign-ins must be prepared.');
    await signInWithPassword(signIn, oneOf(people, turn++));
  });
}

async function measureCodeFlow(
  issuer: string,
  people: readonly Credentials[],
  { processorSeconds }: Watched,
): Promise<Rate> {
  let turn = 0;
  return measureRate(visitorsAtOnce, processorSeconds, async () => {
    const person = oneOf(people, turn++);
    const signIn = await beginSignIn(visitFrom(turn), issuer, party);
    await redeemCode(signIn, await signInWithPassword(signIn, person));
  });
}

function oneOf(people: readonly Credentials[], turn: number): Credentials {
  const person = people[turn % people.length];
  if (!person) throw new Error('There is no user to sign in.');
  return person;
}

interface Overload {
  otherCallMs: number[];
  refusedMs: number[];
  servedCount: number;
  /** Rejections without `Retry-After`, and unexpected responses. */
  rudeCount: number;
}

/** Offers far more sign-ins than can be hashed, and sends other calls in between. */
async function measureOverload(issuer: string, people: readonly Credentials[]): Promise<Overload> {
  const open: OpenSignIn[] = [];
  for (const index of people.keys()) open.push(await beginSignIn(visitFrom(index), issuer, party));
  const observed: Overload = { otherCallMs: [], refusedMs: [], servedCount: 0, rudeCount: 0 };
  const inFlight: Promise<void>[] = [];
  const offer = async (signIn: OpenSignIn, person: Credentials): Promise<void> => {
    const startedMs = performance.now();
    const answer = await sendPassword(signIn, person);
    if (answer.status === 200) observed.servedCount += 1;
    else if ((answer.status === 503 || answer.status === 429) && answer.headers['retry-after'])
      observed.refusedMs.push(performance.now() - startedMs);
    else observed.rudeCount += 1;
  };
  const bystander = createVisitor();
  const site = `${issuer}${calls.getSiteExistence.path.replace(':name', 'harbor')}`;
  const askOther = async (): Promise<void> => {
    const startedMs = performance.now();
    await bystander.ask(site);
    observed.otherCallMs.push(performance.now() - startedMs);
  };
  const startedMs = performance.now();
  let offered = 0;
  while (performance.now() - startedMs < seconds * 1000) {
    const due = ((performance.now() - startedMs) / 1000) * offeredPerSecond;
    for (; offered < due; offered += 1) {
      const signIn = open[offered % open.length];
      if (signIn) inFlight.push(offer(signIn, oneOf(people, offered)));
    }
    inFlight.push(askOther());
    await wait(20);
  }
  await Promise.all(inFlight);
  return observed;
}

interface RequestCost {
  name: string;
  statements: number;
  ms: number;
}

/**
 * Performs authorization code flows sequentially; returns the median number of statements and response time of each
 * request.
 */
async function measureRequests(
  issuer: string,
  people: readonly Credentials[],
  { statements }: Watched,
): Promise<RequestCost[]> {
  const measured = new Map<string, { statements: number[]; ms: number[] }>();
  // counts the statements of reading the metrics, to subtract them
  const first = await statements();
  const ofReading = (await statements()) - first;
  for (const [index, person] of people.slice(0, flowsOneByOne).entries()) {
    const visitor = visitFrom(index);
    const ask: Visitor['ask'] = async (address, request) => {
      const before = await statements();
      const startedMs = performance.now();
      const answer = await visitor.ask(address, request);
      const ms = performance.now() - startedMs;
      const name = new URL(address).pathname.replace(/(authorize)\/.*/, '$1/<id>');
      const costs = measured.get(name) ?? { statements: [], ms: [] };
      costs.ms.push(ms);
      costs.statements.push((await statements()) - before - ofReading);
      measured.set(name, costs);
      return answer;
    };
    const signIn = await beginSignIn({ ...visitor, ask }, issuer, party);
    await redeemCode(signIn, await signInWithPassword(signIn, person));
  }
  return [...measured].map(([name, costs]) => ({
    name,
    statements: median(costs.statements),
    ms: median(costs.ms),
  }));
}

/** Measures a program of this folder. */
async function measureProgram(
  name: string,
  args: readonly string[],
  work: (address: string) => Promise<unknown>,
  databaseSeconds: () => number = () => 0,
): Promise<Rate> {
  const program = await startProgram(name, args);
  const processorSeconds = async (): Promise<number> =>
    (await program.processorSeconds()) + databaseSeconds();
  try {
    return await measureRate(visitorsAtOnce, processorSeconds, async () => work(program.address));
  } finally {
    await program.stop();
  }
}

/** Measures an authorization code flow with a plain oidc-provider, in memory and without passwords. */
const measureRawProvider = async (): Promise<Rate> =>
  measureProgram('raw-provider.ts', [String(demoPort)], signInAtRawProvider);

/** Measures the least that `authenticate` can cost on PostgreSQL with Node, relative to bare hashes. */
async function measureBareServer(postgres: TemporaryPostgres): Promise<Figure[]> {
  const before = await measureBareHash();
  const visitor = createVisitor();
  const { processorMs } = await measureProgram(
    'bare-server.ts',
    [postgres.url],
    async (address) => visitor.ask(address),
    () => postgresProcessorSeconds(postgres.data),
  );
  const bare = meanOf(before, await measureBareHash());
  const what = 'bare server on PostgreSQL: request, four statements and hash';
  return [
    { what: `${what}, processor time`, value: processorMs, unit: 'ms' },
    {
      what: `${what}, of the bare hash by processor time`,
      value: (100 * bare.processorMs) / processorMs,
      unit: '%',
    },
  ];
}

async function signInAtRawProvider(issuer: string): Promise<void> {
  const visitor = createVisitor();
  const codeVerifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams(authorizationParameters(party, codeVerifier));
  await redeemCode(
    { visitor, issuer, party, returnUrl: '', codeVerifier },
    `/auth?${query.toString()}`,
    '/token',
  );
}

/** The database of a measured service, and the CPU time of its server if that is a separate process. */
interface BenchDatabase {
  name: string;
  settings: { DATA_DIR: string } | { DATABASE_URL: string };
  processorSeconds: () => number;
  atLeast: { authenticate: number; codeFlow: number };
}

/** Measures the rates on one database relative to bare hashes, and computes what the CPU times allow on other machines. */
async function measureOn({ name, settings, processorSeconds, atLeast }: BenchDatabase): Promise<Figure[]> {
  const people = await seedPeople(settings, demoPort, counted);
  const port = await findFreePort();
  const metricsPort = await findFreePort();
  const service = startService('The sign-in service', 'identity/src/main.ts', {
    PORT: String(port),
    DEMO_PORT: String(demoPort),
    ...settings,
    TRUSTED_PROXIES: '127.0.0.1,::1',
    WEB_DIST: 'none',
    LOG_LEVEL: 'error',
    METRICS_PORT: String(metricsPort),
  });
  const issuer = `http://localhost:${port}`;
  try {
    await waitUntilReady(service, { port, path: '/health/ready', publicHost: `localhost:${port}` });
    const watched = watch(metricsPort, processorSeconds);
    const requests = await measureRequests(issuer, people.ready, watched);
    // Warms up the service: in its first half minute, while V8 still compiles, each request costs a quarter more.
    for (let round = 0; round < 6; round += 1) await measureCodeFlow(issuer, people.ready, watched);
    // measured before and after what it is compared with, so that other load affects both
    const bareBefore = await measureBareHash();
    const authenticate = await measureAuthenticate(issuer, people.ready, bareBefore.perSecond, watched);
    const codeFlow = await measureCodeFlow(issuer, people.ready, watched);
    const bare = meanOf(bareBefore, await measureBareHash());
    const overload = await measureOverload(issuer, people.mustChange);
    const share = (part: number, whole: number): number => (100 * part) / whole;
    const { otherCallMs, refusedMs, servedCount, rudeCount } = overload;
    const figures: Figure[] = [
      ...requests.flatMap((request): Figure[] => [
        { what: `${request.name}, one at a time`, value: request.statements, unit: 'statements' },
        { what: `${request.name}, one at a time`, value: request.ms, unit: 'ms' },
      ]),
      { what: 'bare hash (argon2id, 19 MiB, t=2)', value: bare.perSecond, unit: '/s' },
      { what: 'bare hash, processor time', value: bare.processorMs, unit: 'ms' },
      { what: 'authenticate', value: authenticate.perSecond, unit: '/s' },
      {
        what: 'authenticate, processor time of service and database',
        value: authenticate.processorMs,
        unit: 'ms',
      },
      {
        what: 'authenticate, of the bare hash by processor time',
        value: share(bare.processorMs, authenticate.processorMs),
        unit: '%',
        budget: { atLeast: atLeast.authenticate },
      },
      { what: 'whole code flow', value: codeFlow.perSecond, unit: '/s' },
      {
        what: 'whole code flow, processor time of service and database',
        value: codeFlow.processorMs,
        unit: 'ms',
      },
      {
        what: 'whole code flow, of the bare hash by processor time',
        value: share(bare.processorMs, codeFlow.processorMs),
        unit: '%',
        budget: { atLeast: atLeast.codeFlow },
      },
      // the rate includes the CPU time of the measuring clients
      {
        what: 'whole code flow, of the bare hash by rate',
        value: share(codeFlow.perSecond, bare.perSecond),
        unit: '%',
      },
      ...curveOf(codeFlow.processorMs, bare.processorMs, 'DATA_DIR' in settings ? 'one' : 'any'),
      {
        what: `another call while ${offeredPerSecond}/s are offered, p95`,
        value: percentile(otherCallMs, 0.95),
        unit: 'ms',
        budget: { atMost: 50 },
      },
      {
        what: 'the excess is refused within, p95',
        value: percentile(refusedMs, 0.95),
        unit: 'ms',
        budget: { atMost: 100 },
      },
      { what: 'sign-ins served meanwhile', value: servedCount / seconds, unit: '/s' },
      { what: 'answers without a Retry-After', value: rudeCount, unit: 'calls', budget: { atMost: 0 } },
    ];
    return figures.map((figure) => ({ ...figure, what: `${name}: ${figure.what}` }));
  } finally {
    await stopService(service);
  }
}

/**
 * Code flows per second that the CPU times allow, computed rather than measured. One process is limited by the number
 * of cores and by its work besides hashing, which uses at most one core. That work includes the time of a PostgreSQL
 * server, so the real limit of one process is a little higher. Several processes, which the embedded database does not
 * support, are limited only by the number of cores.
 */
function curveOf(flowMs: number, hashMs: number, processes: 'one' | 'any'): Figure[] {
  return [1, 2, 4, 8, 16].flatMap((cores): Figure[] => {
    const byCores = (cores * 1000) / flowMs;
    const byOne = Math.min(byCores, 1000 / (flowMs - hashMs));
    const onCores = `computed, cores: ${cores}`;
    return [
      { what: `${onCores}, one process`, value: byOne, unit: '/s' },
      ...(processes === 'any'
        ? [{ what: `${onCores}, as many processes`, value: byCores, unit: '/s' } as const]
        : []),
    ];
  });
}

async function run(): Promise<Figure[]> {
  const load = loadavg()[0] ?? Number.NaN;
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-bench-'));
  const postgres = await startTemporaryPostgres();
  try {
    const raw = await measureRawProvider();
    const bareServer = postgres && (await measureBareServer(postgres));
    const peer = postgres && (await measurePeer(postgres));
    const embedded = await measureOn({
      name: 'embedded',
      settings: { DATA_DIR: folder },
      processorSeconds: () => 0,
      atLeast: { authenticate: 75, codeFlow: 45 },
    });
    const server =
      postgres &&
      (await measureOn({
        name: 'PostgreSQL',
        settings: { DATABASE_URL: postgres.url },
        processorSeconds: () => postgresProcessorSeconds(postgres.data),
        atLeast: { authenticate: 75, codeFlow: 50 },
      }));
    return [
      { what: 'load of the machine before the first measurement', value: load, unit: '×' },
      {
        what: 'bare oidc-provider in memory, code flow without a password',
        value: raw.perSecond,
        unit: '/s',
      },
      { what: 'bare oidc-provider in memory, processor time', value: raw.processorMs, unit: 'ms' },
      ...(bareServer ?? []),
      ...(peer ?? []),
      ...embedded,
      ...(server ?? []),
    ];
  } finally {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const signIns: Bench = { name: 'sign-ins', about: 'sign-ins per second against the bare hash', run };
