import { IncomingMessage } from 'node:http';
import { Socket, connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import { openTestDatabase } from '../../testing/describe-store.ts';
import type { TestDatabase } from '../../testing/describe-store.ts';
import { ContractError } from './errors.ts';
import { createHostPin } from './pinned-host.ts';

// Tests that need a raw socket (attacks and faults, S05, S15, S63, S65).

const host = 'id.test:4400';
let database: TestDatabase;
let application: TestApplication;
let port: number;

beforeAll(async () => {
  database = await openTestDatabase();
  application = await startApplication(database.database, { settings: { PUBLIC_URL: `http://${host}` } });
  await application.app.listen({ port: 0, host: '127.0.0.1' });
  port = (application.app.server.address() as AddressInfo).port;
});

afterAll(async () => {
  await application.close();
  await database.close();
});

/** Sends the raw text and returns everything until the server closes the connection. */
function exchange(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (answer += chunk));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

const get = (path: string, lines: string[] = [`Host: ${host}`]) =>
  exchange([`GET ${path} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n'));

function parse(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [statusLine = '', ...headers] = head.split('\r\n');
  return { status: Number(statusLine.split(' ')[1]), headers: headers.join('\n').toLowerCase(), body };
}

describe('the host is pinned', () => {
  test('the configured host is accepted (control)', async () => {
    expect(parse(await get('/.well-known/openid-configuration'))).toMatchObject({ status: 200 });
    expect(parse(await get('/health/live', ['Host: ID.test:4400'])).status).toBe(200);
  });

  test.each([
    ['another host', '/.well-known/openid-configuration', ['Host: evil.test']],
    ['the right name at another port', '/health/live', ['Host: id.test:4401']],
    ['the right name as a prefix', '/health/live', ['Host: id.test:4400.evil.test']],
    ['the right name behind a user', '/health/live', ['Host: id.test:4400@evil.test']],
    ['two Host headers', '/health/live', [`Host: ${host}`, 'Host: evil.test']],
    ['an absolute URL', 'http://evil.test/health/live', [`Host: ${host}`]],
    ['an absolute URL with our own host', `http://${host}/health/live`, [`Host: ${host}`]],
    ['an empty Host', '/health/live', ['Host:']],
  ])('%s is rejected', async (_what, path, lines) => {
    const { status, body, headers } = parse(await get(path, lines));
    expect([400, 421]).toContain(status);
    expect(JSON.parse(body)).toEqual({
      code: expect.stringMatching(/^(misdirected_request|validation_failed)$/),
    });
    expect(headers).toContain("frame-ancestors 'none'");
  });

  test('a missing Host is rejected', async () => {
    expect([400, 421]).toContain(parse(await get('/health/live', [])).status);
    expect([400, 421]).toContain(parse(await exchange('GET /health/live HTTP/1.0\r\n\r\n')).status);
  });

  test.each([
    ['http://id.test', 'id.test:80', 200],
    ['http://id.test', 'ID.TEST:80', 200],
    ['http://id.test', 'id.test:443', 421],
    ['https://id.test', 'id.test:443', 200],
    ['https://id.test', 'id.test:80', 421],
    ['https://id.test:8443', 'id.test:8443', 200],
    ['https://id.test:8443', 'id.test', 421],
    ['https://[2001:db8::1]', '[2001:db8::1]:443', 200],
  ])('at %s, a request for %s returns %i', (publicUrl, given, status) => {
    const received = { rawHeaders: ['Host', given], url: '/', headers: { host: given } };
    const request = Object.assign(new IncomingMessage(new Socket()), received);
    const check = () => createHostPin(publicUrl)(request);
    if (status === 421) expect(check).toThrow(ContractError);
    else {
      check();
      expect(request.headers.host).toBe(new URL(publicUrl).host);
    }
  });

  test('forwarded headers do not change the discovery document [S05]', async () => {
    const { body } = parse(
      await get('/.well-known/openid-configuration', [
        `Host: ${host}`,
        'X-Forwarded-Host: evil.test',
        'X-Forwarded-Proto: javascript',
        'Forwarded: host=evil.test;proto=https',
      ]),
    );
    const text = body.slice(body.indexOf('{'));
    expect(text).toContain(`http://${host}/connect/token`);
    expect(text).not.toMatch(/evil\.test|javascript/);
  });
});

describe('requests that Node cannot parse', () => {
  const unreadable: [string, number, string][] = [
    ['text that is not HTTP', 400, 'hello\r\n\r\n'],
    [
      'headers of more than 16 kB',
      431,
      `GET / HTTP/1.1\r\nHost: ${host}\r\nCookie: ${'x'.repeat(20_000)}\r\n\r\n`,
    ],
    [
      'two lengths',
      400,
      `POST /api/ui/authenticate HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    ],
    [
      'a length and chunked encoding',
      400,
      `POST /api/ui/authenticate HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'a line break inside a header',
      400,
      `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Correlation-Id: a\rb\r\n\r\n`,
    ],
    ['a NUL in a header', 400, `GET / HTTP/1.1\r\nHost: ${host}\r\nAccept-Language: a\0b\r\n\r\n`],
    ['a NUL in the address', 400, `GET /connect/authorize?state=a\0b HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
  ];

  test.each(unreadable)(
    '%s returns %i with the usual headers and body format',
    async (_what, status, text) => {
      const answer = parse(await exchange(text));
      expect(answer.status).toBe(status);
      expect(JSON.parse(answer.body)).toEqual({
        code: status === 431 ? 'headers_too_large' : 'validation_failed',
      });
      for (const name of [
        'content-security-policy',
        'x-content-type-options',
        'referrer-policy',
        'cache-control: no-store',
      ]) {
        expect(answer.headers).toContain(name);
      }
    },
  );
});

test.each([
  ['en', 'This page cannot be opened', 'en-GB'],
  ['de', 'Diese Seite kann nicht geöffnet werden', 'de-CH,de;q=0.9'],
  ['ar', 'يتعذر فتح هذه الصفحة', 'ar'],
])('a navigation with too many cookies gets a page in the language %s', async (locale, title, accepted) => {
  const lines = `Accept: text/html,*/*\r\nAccept-Language: ${accepted}\r\nCookie: ${'x'.repeat(20_000)}`;
  const answer = parse(await exchange(`GET / HTTP/1.1\r\nHost: ${host}\r\n${lines}\r\n\r\n`));
  expect(answer.status).toBe(431);
  expect(answer.headers).toContain('text/html; charset=utf-8');
  expect(answer.body).toContain(`<html lang="${locale}"`);
  expect(Buffer.from(answer.body, 'latin1').toString()).toContain(title);
});

test.each(['/account/..//evil.test', '/account/./login', '/home/x/..', '/account/login%0d%0aSet-Cookie:a=b'])(
  'the page of %s does not exist',
  async (path) => {
    const { status, headers } = parse(await get(path));
    expect(status).toBe(404);
    expect(headers).not.toMatch(/^location|^set-cookie/m);
  },
);

test('an unfinished body is cut off within 30 s, and unfinished headers within 15 s [S65]', () => {
  // Compares Node's settings, because waiting here would only test Node's timers.
  const { server } = application.app;
  expect(server.headersTimeout).toBeLessThanOrEqual(12_500);
  expect(server.requestTimeout).toBeLessThanOrEqual(27_500);
  expect(server.timeout).toBeGreaterThan(0);
  expect(server.maxRequestsPerSocket).toBeGreaterThan(0);
  expect(server.maxConnections).toBeGreaterThan(0);
});

test.each([
  ['an idle connection', ''],
  ['an unfinished header', 'GET /health/live HT'],
])(
  '%s is closed without a response, which a browser would take for that of its next request',
  async (_what, text) => {
    const { server } = application.app;
    const { headersTimeout } = server;
    server.headersTimeout = 1;
    try {
      expect(await exchange(text)).toBe('');
    } finally {
      server.headersTimeout = headersTimeout;
    }
  },
);

test('TRACE and unknown methods are rejected [S15]', async () => {
  for (const method of ['TRACE', 'TRACK', 'PURGE', 'PROPFIND']) {
    const { status } = parse(
      await exchange(`${method} /api/ui/auth/retry HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    );
    expect([400, 404, 405]).toContain(status);
  }
});
