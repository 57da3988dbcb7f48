import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { calls } from '@anteroom/contract';
import { demoParty, demoPassword } from '@anteroom/testkit/demo-people';
import { beginSignIn, redeemCode, sendPassword, signInWithPassword } from '@anteroom/testkit/sign-in-visit';
import type { Credentials, OpenSignIn } from '@anteroom/testkit/sign-in-visit';
import { createVisitor } from '@anteroom/testkit/visitor';
import type { Visitor } from '@anteroom/testkit/visitor';
import { hash, verify } from '@node-rs/argon2';
import { findFreePort } from '../../tools/start/ports.ts';
import { startService, stopService, waitUntilReady } from '../../tools/start/service.ts';
import { percentile } from './figure.ts';
import type { Bench, Figure } from './figure.ts';
import { seedPeople } from './people.ts';

const seconds = 5;
/** Enough requests under way that the service always has the next hash to do, and few enough that its queue never refuses. */
const visitorsAtOnce = 8;
const offeredPerSecond = 500;

const demoPort = 4401;
const party = demoParty(demoPort);
const counted = { ready: 64, mustChange: 512 };

/** Visitors come from addresses of their own, as a proxy in front of the service tells. */
function visitFrom(index: number): Visitor {
  return createVisitor({
    'X-Forwarded-For': `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
  });
}

/** How often something was done per second, and the processor time that one process spent on each. */
type Rate = { perSecond: number; processorMs: number };

/** Runs `work` in `lanes` at once until the time is over; `processorSeconds` tells what the process that does it has used. */
async function measureRate(
  lanes: number,
  processorSeconds: () => number | Promise<number>,
  work: () => Promise<unknown>,
): Promise<Rate> {
  const usedBefore = await processorSeconds();
  const startedMs = performance.now();
  let done = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() - startedMs < seconds * 1000) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const perSecond = done / ((performance.now() - startedMs) / 1000);
  return { perSecond, processorMs: ((await processorSeconds()) - usedBefore) * (1000 / done) };
}

function ownProcessorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

/** What the service says of itself in its metrics. */
function serviceProcessorSeconds(metricsPort: number): () => Promise<number> {
  return async () => {
    const text = await (await fetch(`http://localhost:${metricsPort}/metrics`)).text();
    return Number(/^process_cpu_seconds_total(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1] ?? Number.NaN);
  };
}

/** The library hashes with argon2id unless told otherwise. What the processor can do when it does nothing else: the parameters of the service, as many lanes as cores. */
async function measureBareHash(): Promise<Rate> {
  const stored = await hash(demoPassword, {
    memoryCost: 19_456,
    timeCost: 2,
    parallelism: 1,
  });
  return measureRate(availableParallelism(), ownProcessorSeconds, async () => verify(stored, demoPassword));
}

async function measureAuthenticate(
  issuer: string,
  people: readonly Credentials[],
  expectedPerSecond: number,
  metricsPort: number,
): Promise<Rate> {
  const open: OpenSignIn[] = [];
  const count = Math.ceil(expectedPerSecond * seconds * 1.1);
  const prepare = async (): Promise<void> => {
    while (open.length < count) open.push(await beginSignIn(visitFrom(open.length), issuer, party));
  };
  await Promise.all(Array.from({ length: visitorsAtOnce }, prepare));
  let turn = 0;
  return measureRate(visitorsAtOnce, serviceProcessorSeconds(metricsPort), async () => {
    const signIn = open.pop();
    if (!signIn) throw new Error('The service was faster than a bare hash: more sign-ins must be prepared.');
    await signInWithPassword(signIn, oneOf(people, turn++));
  });
}

async function measureCodeFlow(
  issuer: string,
  people: readonly Credentials[],
  metricsPort: number,
): Promise<Rate> {
  let turn = 0;
  return measureRate(visitorsAtOnce, serviceProcessorSeconds(metricsPort), async () => {
    const person = oneOf(people, turn++);
    const signIn = await beginSignIn(visitFrom(turn), issuer, party);
    await redeemCode(signIn, await signInWithPassword(signIn, person));
  });
}

function oneOf(people: readonly Credentials[], turn: number): Credentials {
  const person = people[turn % people.length];
  if (!person) throw new Error('There is nobody to sign in.');
  return person;
}

interface Overload {
  otherCallMs: number[];
  refusedMs: number[];
  servedCount: number;
  /** Refused without the header that says when to come back, or answered with anything unforeseen. */
  rudeCount: number;
}

/** Offers far more sign-ins than there are hashes, and asks something else in between. */
async function measureOverload(issuer: string, people: readonly Credentials[]): Promise<Overload> {
  const open: OpenSignIn[] = [];
  for (const index of people.keys()) open.push(await beginSignIn(visitFrom(index), issuer, party));
  const seen: Overload = { otherCallMs: [], refusedMs: [], servedCount: 0, rudeCount: 0 };
  const underWay: Promise<void>[] = [];
  const offer = async (signIn: OpenSignIn, person: Credentials): Promise<void> => {
    const startedMs = performance.now();
    const answer = await sendPassword(signIn, person);
    if (answer.status === 200) seen.servedCount += 1;
    else if ((answer.status === 503 || answer.status === 429) && answer.headers['retry-after'])
      seen.refusedMs.push(performance.now() - startedMs);
    else seen.rudeCount += 1;
  };
  const bystander = createVisitor();
  const site = `${issuer}${calls.getSiteExistence.path.replace(':name', 'harbor')}`;
  const askOther = async (): Promise<void> => {
    const startedMs = performance.now();
    await bystander.ask(site);
    seen.otherCallMs.push(performance.now() - startedMs);
  };
  const startedMs = performance.now();
  let offered = 0;
  while (performance.now() - startedMs < seconds * 1000) {
    const due = ((performance.now() - startedMs) / 1000) * offeredPerSecond;
    for (; offered < due; offered += 1) {
      const signIn = open[offered % open.length];
      if (signIn) underWay.push(offer(signIn, oneOf(people, offered)));
    }
    underWay.push(askOther());
    await wait(20);
  }
  await Promise.all(underWay);
  return seen;
}

async function run(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-bench-'));
  const people = await seedPeople(folder, demoPort, counted);
  const port = await findFreePort();
  const metricsPort = await findFreePort();
  const service = startService('The sign-in service', 'identity/src/main.ts', {
    PORT: String(port),
    DEMO_PORT: String(demoPort),
    DATA_DIR: folder,
    TRUSTED_PROXIES: '127.0.0.1,::1',
    WEB_DIST: 'none',
    LOG_LEVEL: 'error',
    METRICS_PORT: String(metricsPort),
  });
  const issuer = `http://localhost:${port}`;
  try {
    await waitUntilReady(service, { port, path: '/health/ready', publicHost: `localhost:${port}` });
    const bare = await measureBareHash();
    const authenticate = await measureAuthenticate(issuer, people.ready, bare.perSecond, metricsPort);
    const codeFlow = await measureCodeFlow(issuer, people.ready, metricsPort);
    const overload = await measureOverload(issuer, people.mustChange);
    const share = (part: number, whole: number): number => (100 * part) / whole;
    const { otherCallMs, refusedMs, servedCount, rudeCount } = overload;
    return [
      { what: 'bare hash (argon2id, 19 MiB, t=2)', value: bare.perSecond, unit: '/s' },
      { what: 'authenticate', value: authenticate.perSecond, unit: '/s' },
      {
        what: 'authenticate, of the bare hash',
        value: share(authenticate.perSecond, bare.perSecond),
        unit: '%',
        budget: { atLeast: 85 },
      },
      // without what those who ask use of the same processor
      {
        what: 'the same by processor time of the service alone',
        value: share(bare.processorMs, authenticate.processorMs),
        unit: '%',
      },
      { what: 'whole code flow', value: codeFlow.perSecond, unit: '/s' },
      {
        what: 'whole code flow, of the bare hash',
        value: share(codeFlow.perSecond, bare.perSecond),
        unit: '%',
        budget: { atLeast: 50 },
      },
      {
        what: 'the same by processor time of the service alone',
        value: share(bare.processorMs, codeFlow.processorMs),
        unit: '%',
      },
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
  } finally {
    await stopService(service);
    rmSync(folder, { recursive: true, force: true });
  }
}

export const signIns: Bench = { name: 'sign-ins', about: 'sign-ins per second against the bare hash', run };
