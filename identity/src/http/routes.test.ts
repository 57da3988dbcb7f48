import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { calls } from '@anteroom/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/describe-store.ts';
import type { TestDatabase } from '../../testing/describe-store.ts';
import { parseConfig } from '../config/config.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import { secureRandom } from '../lib/random.ts';
import { createSessions } from '../sessions/create-sessions.ts';
import { createAntiForgery } from './anti-forgery.ts';
import { createBrowserCookies } from './cookies.ts';
import { createExchangeFactory } from './create-exchange.ts';
import { createServer } from './create-server.ts';
import { ContractError } from './errors.ts';
import { createReadiness } from './health.ts';
import { registerCalls } from './routes.ts';

const config = parseConfig({ NODE_ENV: 'test' });
const host = new URL(config.publicUrl).host;
const log = createLog('silent');
const server = createServer(config, log, createReadiness(), () => '');

let answer: () => Promise<{ retry: boolean }>;
let inside = 0;
const counted: string[] = [];

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  const keyRing = [createSecretKey(Buffer.alloc(32))] as const;
  const cookies = createBrowserCookies(config.publicUrl);
  const antiForgery = createAntiForgery({
    regionOrigins: [],
    keyRing,
    random: secureRandom,
    cookies,
    publicOrigin: config.publicUrl,
  });
  const sessions = createSessions(
    { database: database.database, clock: systemClock, random: secureRandom, keyRing },
    config.sessions,
  );
  await registerCalls(
    server,
    { getRetry: calls.getRetry, getErrorMessage: calls.getErrorMessage },
    { getRetry: () => answer(), getErrorMessage: () => Promise.resolve({ error: 'x' }) },
    {
      createExchange: createExchangeFactory({
        sessions,
        cookies,
        antiForgery,
        log,
        requireAnonymousAllowance: () => Promise.resolve(),
        guessSite: (_visit, find) => find(),
        noteExpired: () => undefined,
      }),
      antiForgery,
      admission: {
        requireRoom: () => undefined,
        admit: () => {
          inside += 1;
          return () => {
            inside -= 1;
          };
        },
      },
      countRequest: (call, status) => void counted.push(`${call} ${status}`),
      checkAnswers: true,
    },
  );
  await server.listen({ port: 0, host: '127.0.0.1' });
});

afterAll(async () => {
  await server.close();
  await database.close();
});

beforeEach(() => {
  counted.length = 0;
});

const get = (url: string) => server.inject({ url, headers: { host } });

test('a call releases its admission and is counted, whatever its result', async () => {
  answer = () => Promise.resolve({ retry: true });
  expect((await get('/api/ui/auth/retry')).json()).toEqual({ retry: true });
  answer = () => Promise.reject(new ContractError('not_found'));
  expect((await get('/api/ui/auth/retry')).statusCode).toBe(404);
  answer = () => Promise.reject(new Error('unforeseen'));
  expect((await get('/api/ui/auth/retry')).statusCode).toBe(500);
  expect((await get('/api/ui/error-message')).statusCode).toBe(400);
  expect(counted).toEqual(['getRetry 200', 'getRetry 404', 'getRetry 500', 'getErrorMessage 400']);
  expect(inside).toBe(0);
});

test('a call holds its admission until its work is done, also after the client has disconnected [S66]', async () => {
  const waiting = Promise.withResolvers<{ retry: boolean }>();
  answer = () => waiting.promise;
  const { port } = server.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET /api/ui/auth/retry HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await expect.poll(() => inside).toBe(1);
  socket.destroy();
  const countConnections = promisify(server.server.getConnections.bind(server.server));
  await expect.poll(() => countConnections()).toBe(0);
  expect(inside).toBe(1);
  waiting.resolve({ retry: false });
  await expect.poll(() => inside).toBe(0);
});

test('a response that violates the contract is detected before it is sent [I02]', async () => {
  answer = () => Promise.resolve(JSON.parse('{"retry":"marked"}') as { retry: boolean });
  const refused = await get('/api/ui/auth/retry');
  expect(refused.statusCode).toBe(500);
  expect(refused.json()).toEqual({ code: 'internal_error' });
});

test('a table of calls must match its handlers [I02]', () => {
  const table = { getRetry: calls.getRetry };
  const registerMismatches = async () => {
    // @ts-expect-error a call without a handler does not compile
    await registerCalls(server, table, {}, {});
    // @ts-expect-error a handler of another type does not compile
    await registerCalls(server, table, { getRetry: () => Promise.resolve({ retry: 'yes' }) }, {});
  };
  expect(registerMismatches).toBeTypeOf('function');
});
