import { once } from 'node:events';
import { request as send } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { portal, publicUrl } from '../application.ts';
import { createBrowser } from '../browser.ts';
import { startChild } from '../child-process.ts';
import { serverIsThere } from '../describe-store.ts';
import { startFakeGateway } from '../fake-gateway.ts';
import type { FakeGateway } from '../fake-gateway.ts';
import { findFreePort } from '../../../tools/start/ports.ts';
import { askUserInfo, followToApplication, redeem, sendPassword } from '../journeys.ts';
import { demoPassword } from '../../src/demo/demo-data.ts';
import { beginSignIn } from '../relying-party.ts';
import { until } from '../until.ts';
import { chaosTimeoutMs } from './chaos.ts';
import { reachOverHttp } from './http-service.ts';
import { addManyUsers } from './many-users.ts';
import { startNode } from './node-process.ts';
import type { NodeProcess } from './node-process.ts';
import { createServerSchema } from './server-schema.ts';
import type { ServerSchema } from './server-schema.ts';

// One node with WORKERS=2, started as an operator starts it.

vi.setConfig({ testTimeout: chaosTimeoutMs });

type Line = { msg: string; worker?: number; pid?: number; event?: string; result?: string };

const director = { site: 'northwind', userName: 'director@demo.example', password: demoPassword };

test('a node whose workers cannot start exits with 1 and says why', async () => {
  const child = startChild(new URL('../../src/main.ts', import.meta.url), {
    env: {
      WORKERS: '2',
      HASH_CONCURRENCY: '2',
      DATABASE_URL: 'postgres://x:y@127.0.0.1:1/anteroom',
      WEB_DIST: 'none',
    },
  });
  expect(await child.ended).toBe(1);
  const lines = child.output().trim().split('\n');
  expect(lines).toEqual([
    expect.stringContaining('nothing accepts connections there (ECONNREFUSED)'),
    expect.stringMatching(/^No worker serves visitors: worker 1 ended with exit code 1 before it could\./),
  ]);
});

test.runIf(!serverIsThere())('WORKERS=2 is not tested further: no PostgreSQL server answers', () => {
  expect(serverIsThere()).toBe(false);
});

describe.runIf(serverIsThere())('a node with two workers', () => {
  let schema: ServerSchema;
  let gateway: FakeGateway;
  let people: Awaited<ReturnType<typeof addManyUsers>>;
  let node: NodeProcess;
  let metricsPort: number;
  let reached: ReturnType<typeof reachOverHttp>[] = [];

  async function start(): Promise<void> {
    metricsPort = await findFreePort();
    node = await startNode({
      WORKERS: '2',
      HASH_CONCURRENCY: '2',
      DATABASE_POOL_SIZE: '10',
      DATABASE_URL: schema.url,
      METRICS_PORT: String(metricsPort),
      SMS_SENDER: 'webhook',
      SMS_WEBHOOK_URL: gateway.url,
      // hashes are slow enough to be in flight whenever a worker stops
      ARGON2_MEMORY_KIB: '4096',
      // the drain is short, because these tests have no load balancer
      DRAIN_SECONDS: '1',
    });
    await node.child.saw(/"msg":"the workers are listening"/);
  }

  beforeAll(async () => {
    schema = await createServerSchema();
    gateway = await startFakeGateway();
    await start();
    people = await addManyUsers(schema.database, 200);
  });
  beforeEach(async () => {
    if (node.child.process.exitCode !== null) await start();
    for (const table of ['limits', 'code_messages'] as const)
      await schema.database.deleteFrom(table).execute();
  });
  afterEach(({ task }) => {
    for (const { close } of reached) close();
    reached = [];
    if (task.result?.state === 'fail') process.stderr.write(node.child.output().slice(-4000));
  });
  afterAll(async () => {
    await node.stop();
    await gateway.close();
    await schema.drop();
  });

  /** Opens a visitor with separate connections. */
  function openVisitor() {
    const app = reachOverHttp(node.port);
    reached.push(app);
    return { app, browser: createBrowser(app, publicUrl) };
  }

  /** Signs in completely. Returns the access token. */
  async function signIn(index: number): Promise<unknown> {
    const { app, browser } = openVisitor();
    const started = await beginSignIn(browser, portal);
    const answer = await sendPassword(browser, started, people[index % people.length]);
    const parameters = await followToApplication(browser, answer);
    const tokens = await redeem({ app }, { ...started, code: parameters.get('code') ?? '' });
    expect(tokens.status, tokens.text).toBe(200);
    return tokens.json()['access_token'];
  }

  const lines = (): Line[] =>
    node.child
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Line);
  /** The latest process of a worker. */
  const pidOf = (worker: number): number =>
    lines().findLast((line) => line.msg === 'listening' && line.worker === worker)?.pid ?? 0;
  const signInsOf = (worker: number): number =>
    lines().filter((line) => line.worker === worker && line.msg === 'sign-in.finish: success').length;

  async function readMetrics(): Promise<string> {
    const response = await fetch(`http://localhost:${metricsPort}/metrics`);
    return response.text();
  }
  const valueOf = (text: string, metric: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${metric} `))
        ?.split(' ')
        .at(-1) ?? 0,
    );
  const finished = 'anteroom_authentication_events_total{event="sign-in.finish",result="success"}';

  test('both workers sign in visitors, and one endpoint serves the metrics and readiness of both', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => signIn(index)));
    expect(signInsOf(1)).toBeGreaterThan(0);
    expect(signInsOf(2)).toBeGreaterThan(0);
    expect(signInsOf(1) + signInsOf(2)).toBe(20);
    const text = await readMetrics();
    expect(valueOf(text, finished)).toBe(20);
    expect(valueOf(text, 'anteroom_request_seconds_count{call="authenticate",status="200"}')).toBe(20);
    expect(valueOf(text, 'anteroom_password_hash_queue{state="running"}')).toBe(0);
    expect(text.match(/^anteroom_build_info\{.*\} (\d+)$/m)?.[1]).toBe('1');
    expect(text.match(/^process_resident_memory_bytes /gm)).toHaveLength(1);
    const readiness = await fetch(`http://localhost:${metricsPort}/health/ready`);
    expect(readiness.status).toBe(200);
    expect(await readiness.json()).toMatchObject({ ready: true, problems: [], warnings: [] });
  });

  test('a worker that is killed under load is replaced, and no acknowledged sign-in is lost', async () => {
    const acknowledged: unknown[] = [];
    const failures: string[] = [];
    let isOver = false;
    let turn = 0;
    const signInRepeatedly = async (): Promise<void> => {
      while (!isOver) {
        turn += 1;
        try {
          acknowledged.push(await signIn(turn));
        } catch (error) {
          failures.push(error instanceof Error && 'code' in error ? String(error.code) : String(error));
        }
      }
    };
    const loops = Array.from({ length: 6 }, signInRepeatedly);
    await until(() => acknowledged.length >= 10);
    const before = valueOf(await readMetrics(), finished);
    const killed = pidOf(2);
    process.kill(killed, 'SIGKILL');
    await until(() => pidOf(2) !== killed);
    const served = signInsOf(2);
    await until(() => signInsOf(2) > served);
    isOver = true;
    await Promise.all(loops);

    expect(lines().filter(({ msg }) => msg === 'a worker ended')).toMatchObject([
      { worker: 2, reason: 'SIGKILL' },
    ]);
    // only requests in the killed process fail
    for (const failure of failures) expect(failure).toMatch(/^(?:ECONNRESET|EPIPE)$/);
    const { app } = openVisitor();
    for (const token of acknowledged) expect((await askUserInfo({ app }, token)).status).toBe(200);
    expect(valueOf(await readMetrics(), finished)).toBeGreaterThan(before);
  });

  test('SIGUSR2 replaces the workers one by one under load without a failed request', async () => {
    const before = [pidOf(1), pidOf(2)];
    const failures: unknown[] = [];
    let isOver = false;
    let turn = 0;
    const signInRepeatedly = async (): Promise<void> => {
      while (!isOver) {
        turn += 1;
        await signIn(turn).catch((error: unknown) => failures.push(error));
      }
    };
    const loops = Array.from({ length: 4 }, signInRepeatedly);
    await until(() => turn > 10);
    const counted = valueOf(await readMetrics(), finished);
    node.child.process.kill('SIGUSR2');
    // the node stays ready
    let asked = 0;
    while (!node.child.output().includes('"msg":"the workers have been replaced"')) {
      const { app } = openVisitor();
      const answer = await app.inject({ url: '/health/ready', headers: { host: new URL(publicUrl).host } });
      expect(answer.statusCode).toBe(200);
      asked += 1;
    }
    isOver = true;
    await Promise.all(loops);
    expect(asked).toBeGreaterThan(0);
    expect(failures).toEqual([]);
    expect(before).not.toContain(pidOf(1));
    expect(before).not.toContain(pidOf(2));
    // counters include those of the replaced workers
    expect(valueOf(await readMetrics(), finished)).toBeGreaterThanOrEqual(counted);
  });

  test('F10: after SIGTERM, sign-ins, hashes and a slow message in flight are completed, and the node exits with 0', async () => {
    const open = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const { browser } = openVisitor();
        return { browser, ...(await beginSignIn(browser, portal)) };
      }),
    );
    const slow = openVisitor().browser;
    const slowStarted = await beginSignIn(slow, portal);
    const sent = gateway.requests.length;
    gateway.behave('hang');
    const message = sendPassword(slow, slowStarted, director);
    await until(() => gateway.requests.length > sent);
    const signingIn = open.map((one, index) => sendPassword(one.browser, one, people[index]));
    const asking = Array.from({ length: 80 }, (_, index) =>
      open[index % 40]!.browser.call('/api/ui/sites/harbor'),
    );
    await Promise.race(signingIn);
    const ended = node.stop();
    const answers = await Promise.all([...signingIn, ...asking]);
    for (const { status, text } of answers) expect(status, text).toBe(200);
    expect((await message).status).toBe(200);
    expect(await ended).toBe(0);
    expect(
      lines()
        .filter(({ msg }) => msg === 'stopped')
        .map(({ worker }) => worker),
    ).toEqual(expect.arrayContaining([1, 2, undefined]));
    gateway.behave({ status: 202 });
  });

  test('F10: after SIGTERM, every received request is answered', async () => {
    const requests = Array.from({ length: 200 }, () => ask(node.port, '/health/ready'));
    await Promise.all(requests.map(({ sent }) => sent));
    const ended = node.stop();
    const statuses = await Promise.all(requests.map(({ status }) => status));
    // 503: the node reports that it is not ready
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(await ended).toBe(0);
  });
});

/** Sends a request on its own connection. `sent` resolves once the operating system has received it. */
function ask(port: number, path: string): { sent: Promise<unknown>; status: Promise<number> } {
  const request = send({
    host: '127.0.0.1',
    port,
    path,
    agent: false,
    headers: { host: new URL(publicUrl).host },
  });
  const status = new Promise<number>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
  });
  request.end();
  return { sent: once(request, 'finish'), status };
}
