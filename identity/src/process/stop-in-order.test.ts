import { Agent, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { expect, test, vi } from 'vitest';
import { until } from '../../testing/until.ts';
import { createReadiness } from '../http/health.ts';
import { closeUnusedConnections } from '../http/create-server.ts';
import { stopInOrder } from './stop-in-order.ts';

// Attacks and faults, F10: on shutdown every accepted request is answered, or gets 503 with a retry time.

const noJobs = { stop: () => Promise.resolve() };
const muchTime = { drainSeconds: 0, finishSeconds: 60 };
const passwords = { refuseWaiting: () => undefined };

async function listen(
  route: () => unknown,
): Promise<{ server: FastifyInstance; ask: () => Promise<IncomingMessage> }> {
  // like `create-server.ts`, with a keep-alive time longer than the test
  const server = Fastify({
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    keepAliveTimeout: 60_000,
  });
  closeUnusedConnections(server);
  server.get('/', route);
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  return {
    server,
    ask: () =>
      new Promise((resolve, reject) => {
        get({ agent, host: '127.0.0.1', port }, resolve).on('error', reject);
      }),
  };
}

test('a request that still waits for its hash near the end of the shutdown gets 503, and no connection is cut [F10]', async () => {
  let refuse = (): void => undefined;
  const waiting = vi.fn<() => Promise<never>>(
    () =>
      new Promise((_resolve, reject) => {
        refuse = () => reject(Object.assign(new Error('no new work is started'), { statusCode: 503 }));
      }),
  );
  const { server, ask } = await listen(waiting);
  const asking = ask();
  await until(() => waiting.mock.calls.length > 0);
  const services = { passwords: { refuseWaiting: () => refuse() } };
  await stopInOrder({ server, readiness: createReadiness(), services }, noJobs, {
    drainSeconds: 0,
    finishSeconds: 2,
  });
  const answer = await asking;
  expect(answer.statusCode).toBe(503);
  answer.resume();
});

test('a connection with an unfinished answer delays the shutdown only until the answer is complete [F10]', async () => {
  const body = new PassThrough();
  const { server, ask } = await listen(() => body);
  body.write('the beginning, ');
  const answer = await ask();
  const stopped = stopInOrder(
    { server, readiness: createReadiness(), services: { passwords } },
    noJobs,
    muchTime,
  );
  await until(() => !server.server.listening);
  body.end('the end');
  let text = '';
  for await (const part of answer) text += String(part);
  expect(text).toBe('the beginning, the end');
  await stopped;
});

/** Opens a connection without sending a request. */
async function preconnect(server: FastifyInstance): Promise<Socket> {
  let accepted = false;
  server.server.once('connection', () => (accepted = true));
  const { port } = server.server.address() as AddressInfo;
  const connection = connect(port, '127.0.0.1');
  await until(() => accepted);
  return connection;
}

test('a preconnected connection without a request does not keep the process running [F10]', async () => {
  const { server } = await listen(() => 'nothing');
  const unused = await preconnect(server);
  const closed = new Promise((resolve) => unused.once('close', () => resolve('closed')));
  await stopInOrder({ server, readiness: createReadiness(), services: { passwords } }, noJobs, muchTime);
  await expect(closed).resolves.toBe('closed');
});

test('a request that arrives on a new connection while the server closes is answered [F10]', async () => {
  const { server } = await listen(() => 'an answer');
  const connection = await preconnect(server);
  const stopped = stopInOrder(
    { server, readiness: createReadiness(), services: { passwords } },
    noJobs,
    muchTime,
  );
  await until(() => !server.server.listening);
  connection.end('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  let text = '';
  for await (const part of connection) text += String(part);
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n.*an answer$/s);
  await stopped;
});

test('a slow job does not delay the closing of the port [F10]', async () => {
  const { server } = await listen(() => 'nothing');
  let endJob = (): void => undefined;
  const jobs = { stop: () => new Promise<void>((resolve) => (endJob = resolve)) };
  const stopped = stopInOrder(
    { server, readiness: createReadiness(), services: { passwords } },
    jobs,
    muchTime,
  );
  await until(() => !server.server.listening);
  endJob();
  await expect(stopped).resolves.toBeUndefined();
});

test('requests on connections in the kernel’s queue are answered [F10]', async () => {
  const { server, ask } = await listen(() => 'an answer');
  const asking = Array.from({ length: 100 }, ask);
  const stopped = stopInOrder(
    { server, readiness: createReadiness(), services: { passwords } },
    noJobs,
    muchTime,
  );
  // The connections are opened in this turn of the event loop, which then blocks for longer than the drain, as on a
  // busy machine.
  process.nextTick(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500));
  const answers = await Promise.all(asking);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(asking.map(() => 200));
  for (const answer of answers) answer.resume();
  await stopped;
});
