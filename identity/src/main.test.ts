import { once } from 'node:events';
import { get } from 'node:http';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startChild } from '../testing/child-process.ts';
import type { Child } from '../testing/child-process.ts';
import { startCollector } from '../testing/collector.ts';
import { placeEmbeddedDatabase } from '../testing/embedded-template.ts';
import { findFreePort } from '../testing/free-port.ts';

const main = new URL('./main.ts', import.meta.url);

/** Long time limits, which extend the time for a shutdown: answers are slow on a busy machine. */
const patience = {
  HASH_QUEUE_SECONDS: '30',
  DATABASE_STATEMENT_TIMEOUT_SECONDS: '60',
};
let directory: string;
let children: Child[] = [];

/** A data directory with the demo data. All tests copy it, because creating one takes five times as long as a start. */
const made = mkdtempSync(join(tmpdir(), 'anteroom-made-'));
beforeAll(async () => {
  directory = made;
  await placeEmbeddedDatabase(made);
  const { child } = await startListening();
  child.process.kill('SIGTERM');
  await child.saw(/"msg":"stopped"/);
  await child.ended;
});
afterAll(() => rmSync(made, { recursive: true, force: true }));

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'anteroom-main-'));
  cpSync(made, directory, { recursive: true });
  children = [];
});

afterEach(async () => {
  for (const child of children) child.process.kill('SIGKILL');
  await Promise.all(children.map((child) => child.ended));
  rmSync(directory, { recursive: true, force: true });
});

function start(env: Record<string, string>, ipc = false): Child {
  const child = startChild(main, { env, ipc });
  children.push(child);
  return child;
}

async function startListening(
  env: Record<string, string> = {},
  ipc = false,
): Promise<{ child: Child; port: number }> {
  const port = await findFreePort();
  const child = start(
    {
      PORT: String(port),
      DATA_DIR: directory,
      WEB_DIST: 'none',
      ARGON2_MEMORY_KIB: '8',
      ...patience,
      ...env,
    },
    ipc,
  );
  await child.saw(/"msg":"listening"/);
  return { child, port };
}

describe('settings', () => {
  test('all invalid settings are reported at once, and the process exits with 1 [F11]', async () => {
    const child = start({
      PORT: '99999',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://x',
      PUBLIC_URL: 'https://id.example/x',
    });
    expect(await child.ended).toBe(1);
    for (const name of ['PORT', 'LOG_LEVEL', 'DATABASE_URL', 'PUBLIC_URL'])
      expect(child.output()).toContain(`- ${name}: `);
  });

  test('production refuses to start with defaults [F11]', async () => {
    const child = start({
      NODE_ENV: 'production',
      DEMO_DATA: 'true',
      OUTBOX: 'true',
    });
    expect(await child.ended).toBe(1);
    for (const name of ['SECRETS', 'SIGNING_JWKS', 'PUBLIC_URL', 'DATABASE_URL', 'DEMO_DATA', 'OUTBOX']) {
      expect(child.output()).toContain(`- ${name}: `);
    }
  });
});

describe('a failed start because of the machine or the database is reported in one sentence', () => {
  test.each([
    ['no server', 'postgres://x:y@127.0.0.1:1/anteroom', 'nothing accepts connections there (ECONNREFUSED)'],
    [
      'no socket',
      'postgres://x:y@db/anteroom?host=/nowhere',
      'at /nowhere cannot be used: there is no socket',
    ],
    ['an unknown host', 'postgres://x:y@db.invalid:5432/anteroom', 'its host name '],
  ])('%s at the address of the database', async (_name, address, reason) => {
    const child = start({ PORT: '4400', DATABASE_URL: address });
    expect(await child.ended).toBe(1);
    expect(child.output()).toMatch(/^The database anteroom at .*\n$/);
    expect(child.output()).toContain(reason);
    expect(child.output()).not.toContain('x:y');
  });

  test('a port in use', async () => {
    const { port } = await startListening();
    const other = mkdtempSync(join(tmpdir(), 'anteroom-main-'));
    cpSync(made, other, { recursive: true });
    const second = start({ PORT: String(port), DATA_DIR: other, LOG_LEVEL: 'error' });
    expect(await second.ended).toBe(1);
    expect(second.output()).toBe(
      `Port ${port} on localhost is in use by another process: stop that one, or set PORT.\n`,
    );
    rmSync(other, { recursive: true, force: true });
  });
});

describe('a running service', () => {
  test('on SIGTERM the service answers every request that the machine has received, and exits with 0 [F10]', async () => {
    const { child, port } = await startListening();
    const requests = Array.from({ length: 200 }, () => send(port, '/health/ready'));
    await Promise.all(requests.map(({ sent }) => sent));
    child.process.kill('SIGTERM');
    const statuses = await Promise.all(requests.map(({ status }) => status));
    // 503 means that the node is not ready
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(await child.ended).toBe(0);
    expect(child.output()).toContain('"msg":"stopped"');
  });

  test('readiness ends first, while the service still accepts requests [F10]', async () => {
    // long enough for the requests on any machine; the test does not wait for the end of the drain
    const { child, port } = await startListening({ DRAIN_SECONDS: '60' });
    expect(await ask(port, '/health/ready')).toBe(200);
    child.process.kill('SIGTERM');
    await child.saw(/"msg":"stopping"/);
    expect(await ask(port, '/health/ready')).toBe(503);
    expect(await ask(port, '/health/live')).toBe(200);
  });

  test('the service stops when its parent process ends', async () => {
    const { child } = await startListening({}, true);
    child.process.disconnect();
    expect(await child.ended).toBe(0);
  });

  test('metrics for Prometheus are on a separate port, and traces are sent to the configured collector', async () => {
    const metricsPort = await findFreePort();
    const collector = await startCollector();
    const { child, port } = await startListening({
      METRICS_PORT: String(metricsPort),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    });
    expect(await ask(metricsPort, '/metrics')).toBe(200);
    expect(await ask(port, '/metrics')).toBe(404);
    expect(await ask(metricsPort, '/health/live')).toBe(404);
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    expect(collector.spans().map(({ name }) => name)).toContain('GET none');
    collector.close();
  });
});

function ask(port: number, path: string): Promise<number> {
  return send(port, path).status;
}

/** Sends a request on a new connection; `sent` resolves when the operating system has the whole request. */
function send(port: number, path: string): { sent: Promise<unknown>; status: Promise<number> } {
  const request = get({
    host: 'localhost',
    port,
    path,
    agent: false,
    headers: { host: `localhost:${port}` },
  });
  const status = new Promise<number>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
  });
  return { sent: once(request, 'finish'), status };
}
