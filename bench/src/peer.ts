import { demoParty, demoPassword } from '@anteroom/testkit/demo-users';
import { beginSignIn, signInWithPassword } from '@anteroom/testkit/sign-in-visit';
import { createVisitor } from '@anteroom/testkit/visitor';
import { findFreePort } from '../../tools/start/ports.ts';
import { startService, stopService, waitUntilReady } from '../../tools/start/service.ts';
import type { TemporaryPostgres } from '../../tools/test/postgres.ts';
import { createSchema } from './bench-server.ts';
import { median } from './figure.ts';
import type { Figure } from './figure.ts';
import { seedPeople } from './people.ts';
import { postgresProcessorSeconds, processSeconds } from './processor-time.ts';
import { startProgram, visitFrom, visitorsAtOnce } from './rates.ts';

/** Each round has this many sign-ins of each service. The services take turns, so that both see the same load. */
const signInsPerRound = 300;
const warmUpRounds = 5;
const rounds = 7;
const userCount = 64;
const demoPort = 4401;

/** The weakest hash takes 0.02 ms. Production refuses it. */
const withoutHash = { ARGON2_MEMORY_KIB: '8', ARGON2_TIME_COST: '1' };

/** The CPU time of one sign-in. */
interface Cost {
  serviceMs: number;
  databaseMs: number;
}

interface Peer {
  processorSeconds: () => number;
  /** Prepares sign-ins, which are not measured, and returns the functions that complete them. */
  prepare: (count: number) => Promise<(() => Promise<unknown>)[]>;
  stop: () => Promise<void>;
}

export async function atOnce(works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const left = [...works];
  const run = async (): Promise<void> => {
    for (let work = left.pop(); work !== undefined; work = left.pop()) await work();
  };
  await Promise.all(Array.from({ length: visitorsAtOnce }, run));
}

export async function startOurs(url: string): Promise<Peer> {
  const settings = { DATABASE_URL: url, ...withoutHash };
  const people = await seedPeople(settings, demoPort, { ready: userCount, mustChange: 0 });
  const party = demoParty(demoPort);
  const port = await findFreePort();
  const service = startService('The sign-in service', 'identity/src/main.ts', {
    ...settings,
    PORT: String(port),
    DEMO_PORT: String(demoPort),
    TRUSTED_PROXIES: '127.0.0.1,::1',
    WEB_DIST: 'none',
    LOG_LEVEL: 'error',
  });
  await waitUntilReady(service, { port, path: '/health/ready', publicHost: `localhost:${port}` });
  let turn = 0;
  return {
    processorSeconds: () => processSeconds(service.process.pid ?? 0),
    async prepare(count) {
      const works: (() => Promise<unknown>)[] = [];
      await atOnce(
        Array.from({ length: count }, () => async () => {
          turn += 1;
          const person = people.ready[turn % userCount];
          if (!person) throw new Error('There is no user to sign in.');
          const signIn = await beginSignIn(visitFrom(turn), `http://localhost:${port}`, party);
          works.push(async () => signInWithPassword(signIn, person));
        }),
      );
      return works;
    },
    stop: async () => stopService(service),
  };
}

async function startBetterAuth(url: string): Promise<Peer> {
  const program = await startProgram('better-auth.ts', [url, String(userCount)]);
  let turn = 0;
  return {
    processorSeconds: () => processSeconds(program.pid),
    stop: program.stop,
    prepare: (count) =>
      Promise.resolve(
        Array.from({ length: count }, () => async () => {
          turn += 1;
          const { status, text } = await createVisitor({ Origin: program.address }).ask(
            `${program.address}/api/auth/sign-in/email`,
            { body: { email: `user-${turn % userCount}@bench.example`, password: demoPassword } },
          );
          if (status !== 200) throw new Error(`better-auth answered ${status}: ${text}`);
        }),
      ),
  };
}

async function measureRound(peer: Peer, databaseSeconds: () => number): Promise<Cost> {
  const works = await peer.prepare(signInsPerRound);
  const [serviceBefore, databaseBefore] = [peer.processorSeconds(), databaseSeconds()];
  await atOnce(works);
  const [serviceAfter, databaseAfter] = [peer.processorSeconds(), databaseSeconds()];
  return {
    serviceMs: ((serviceAfter - serviceBefore) * 1000) / signInsPerRound,
    databaseMs: ((databaseAfter - databaseBefore) * 1000) / signInsPerRound,
  };
}

/** Compares `authenticate` with a sign-in of better-auth by e-mail and password, both without the hash. */
export async function measurePeer(postgres: TemporaryPostgres): Promise<Figure[]> {
  const database = (): number => postgresProcessorSeconds(postgres.data);
  // A schema with the name of the database user would also be that of the measurements without a schema.
  const ours = await startOurs(await createSchema(postgres.url, 'service'));
  const betterAuth = await startBetterAuth(await createSchema(postgres.url, 'better_auth'));
  try {
    const costs = { ours: [] as Cost[], betterAuth: [] as Cost[] };
    for (let round = 0; round < warmUpRounds + rounds; round += 1) {
      const ofOurs = await measureRound(ours, database);
      const ofBetterAuth = await measureRound(betterAuth, database);
      if (round < warmUpRounds) continue;
      costs.ours.push(ofOurs);
      costs.betterAuth.push(ofBetterAuth);
    }
    const [own, other] = [medianOf(costs.ours), medianOf(costs.betterAuth)];
    const ratio = (ms: (cost: Cost) => number): number => ms(own) / ms(other);
    return [
      ...toFigures('authenticate', own),
      ...toFigures('better-auth', other),
      {
        what: 'without the hash, against better-auth: service',
        value: ratio((cost) => cost.serviceMs),
        unit: '×',
      },
      {
        what: 'without the hash, against better-auth: database',
        value: ratio((cost) => cost.databaseMs),
        unit: '×',
      },
      {
        what: 'without the hash, against better-auth: both',
        value: ratio((cost) => cost.serviceMs + cost.databaseMs),
        unit: '×',
        budget: { atMost: 1 },
      },
    ];
  } finally {
    await ours.stop();
    await betterAuth.stop();
  }
}

const medianOf = (costs: readonly Cost[]): Cost => ({
  serviceMs: median(costs.map(({ serviceMs }) => serviceMs)),
  databaseMs: median(costs.map(({ databaseMs }) => databaseMs)),
});

const toFigures = (name: string, { serviceMs, databaseMs }: Cost): Figure[] => [
  { what: `${name} without the hash, service`, value: serviceMs, unit: 'ms' },
  { what: `${name} without the hash, database`, value: databaseMs, unit: 'ms' },
];
