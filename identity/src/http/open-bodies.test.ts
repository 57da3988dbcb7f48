import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestKeys, portal, publicUrl, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import { createBrowser } from '../../testing/browser.ts';
import type { Reachable } from '../../testing/browser.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { sendPassword } from '../../testing/journeys.ts';
import { reachOverHttp } from '../../testing/nodes/http-service.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { until } from '../../testing/until.ts';

const { host, origin } = new URL(publicUrl);
const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

/** One connection with a request whose body stays incomplete. */
type SlowRequest = { socket: Socket; answer: () => string; isClosed: () => boolean };

describeStore('requests whose body does not arrive', (store) => {
  /** The second application refuses bodies at once, the first one never because of their time. */
  let application: TestApplication;
  let impatient: TestApplication;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    const settings = {
      TRUSTED_PROXIES: '127.0.0.1',
      // The queue has room for a few dozen hashes.
      ARGON2_MEMORY_KIB: '19456',
      ARGON2_TIME_COST: '2',
      HASH_CONCURRENCY: '1',
    };
    const keys = createTestKeys();
    application = await startApplication(store().database, { settings, keys, bodyMs: 600_000 });
    impatient = await startApplication(store().database, { settings, keys, bodyMs: 1 });
    for (const { app } of [application, impatient]) {
      // The server's own limit of a request would close some on a slow machine.
      app.server.requestTimeout = 0;
      await app.listen({ port: 0, host: '127.0.0.1' });
    }
  });
  afterAll(async () => {
    await application.close();
    await impatient.close();
  });
  beforeEach(() => () => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  const portOf = ({ app }: TestApplication): number => (app.server.address() as AddressInfo).port;

  /** The headers of a page's call. */
  async function pageHeaders(): Promise<Record<string, string>> {
    const browser = createBrowser(application.app, publicUrl);
    const { returnUrl } = await beginSignIn(browser, portal);
    await browser.call('/api/ui/auth-context', { returnUrl });
    const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
    const token = browser.cookies.get('XSRF-TOKEN')?.value ?? '';
    return { cookie, origin, 'sec-fetch-site': 'same-origin', 'x-xsrf-token': token };
  }

  function sendSlowly(
    to: TestApplication,
    path: string,
    {
      type = json,
      address = '203.0.113.1',
      headers = {},
    }: {
      type?: string;
      address?: string;
      headers?: Record<string, string>;
    } = {},
  ): Promise<SlowRequest> {
    const lines = Object.entries({
      host,
      'content-type': type,
      'content-length': '200',
      'x-forwarded-for': address,
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`);
    return new Promise((resolve, reject) => {
      let answer = '';
      let isClosed = false;
      const socket = connect(portOf(to), '127.0.0.1', () => {
        socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n{`, () =>
          resolve({ socket, answer: () => answer, isClosed: () => isClosed }),
        );
      });
      sockets.push(socket);
      socket.setEncoding('latin1');
      socket.on('data', (text: string) => (answer += text));
      socket.on('close', () => (isClosed = true));
      socket.on('error', reject);
    });
  }

  test.each([
    ['/api/ui/authenticate', json],
    ['/api/ui/password-reset', json],
    ['/api/ui/recovery/new-password', json],
    ['/api/ui/recovery/password-link', json],
    ['/connect/token', form],
    ['/connect/par', form],
    ['/connect/introspection', form],
    ['/connect/authorize', form],
    ['/saml/acs', form],
  ])('%s gets 408 after the limit, and the connection is closed [S65]', async (path, type) => {
    const headers = type === json ? await pageHeaders() : {};
    const slow = await sendSlowly(impatient, path, { type, headers });
    await until(slow.isClosed);
    expect(slow.answer()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(slow.answer()).toContain("frame-ancestors 'none'");
    expect(slow.answer()).toMatch(/\r\n\r\n\{"code":"request_timeout"\}$/);
  });

  test('a request that was refused before its body is closed after the limit too [S65]', async () => {
    const slow = await sendSlowly(impatient, '/api/ui/authenticate');
    await until(slow.isClosed);
    expect(slow.answer()).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('beside 300 requests from one address, all sign-ins of that address and of others succeed, and the oldest are closed [S65, S66]', async () => {
    const headers = await pageHeaders();
    const slow: SlowRequest[] = [];
    for (let count = 0; count < 300; count += 1) {
      const path = ['/api/ui/authenticate', '/api/ui/password-reset', '/api/ui/recovery/new-password'][
        count % 3
      ];
      slow.push(await sendSlowly(application, path ?? '', { headers }));
    }
    await until(() => slow.filter(({ isClosed }) => isClosed()).length === 250);
    const reachable = reachOverHttp(portOf(application));
    for (const address of ['203.0.113.1', '203.0.113.2']) {
      const from: Reachable = {
        inject: (options) =>
          reachable.inject({ ...options, headers: { ...options.headers, 'x-forwarded-for': address } }),
      };
      for (let count = 0; count < 10; count += 1) {
        const browser = createBrowser(from, publicUrl);
        const signedIn = await sendPassword(browser, await beginSignIn(browser, portal));
        expect([signedIn.status, signedIn.json()['status']]).toEqual([200, 'redirect']);
      }
    }
    reachable.close();
    const open = slow.filter(({ isClosed }) => !isClosed());
    expect(open).toEqual(slow.slice(-open.length));
    // A sign-in of the same address has taken the place of one slow request.
    expect(open).toHaveLength(49);
    for (const { answer, isClosed } of slow) expect(answer().startsWith('HTTP/1.1 408')).toBe(isClosed());
  });

  test('from 520 addresses, the oldest 20 are closed, because a node holds at most 500 [S65]', async () => {
    const slow: SlowRequest[] = [];
    for (let count = 0; count < 520; count += 1) {
      const address = `198.51.${100 + Math.floor(count / 250)}.${1 + (count % 250)}`;
      slow.push(await sendSlowly(application, '/connect/token', { type: form, address }));
    }
    await until(() => slow.filter(({ isClosed }) => isClosed()).length >= 20);
    expect(slow.findIndex(({ isClosed }) => !isClosed())).toBe(20);
  });

  test('a body that arrives in pieces is accepted', async () => {
    const headers = { ...(await pageHeaders()), 'content-length': '2', connection: 'close' };
    const slow = await sendSlowly(application, '/api/ui/authenticate', { headers });
    slow.socket.write('}');
    await until(slow.isClosed);
    expect(slow.answer()).toContain('{"code":"validation_failed"}');
  });
});
