import type { InjectOptions } from 'fastify';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { addClients } from '../../testing/add-clients.ts';
import { portal, publicUrl } from '../../testing/application.ts';
import { redeem, signIn } from '../../testing/journeys.ts';
import { useApplication } from '../../testing/use-application.ts';

// Attacks and faults, S55: tests which cross-origin pages can read the provider's responses.

const application = useApplication();

/** The origin of the demo portal, a public client, and the headers of its requests. */
const origin = new URL(portal.redirectUri).origin;
const otherPage = 'https://other.example';
const confidentialPage = 'https://server.example';
const nativeScheme = 'com.example.boards:/callback';

beforeAll(async () => {
  const { database } = application().services;
  await addClients(database, {
    'other-page': {
      redirect_uris: [`${otherPage}/callback`],
      token_endpoint_auth_method: 'none',
    },
    server: { redirect_uris: [`${confidentialPage}/callback`], client_secret: 'x'.repeat(43) },
    native: {
      application_type: 'native',
      redirect_uris: [nativeScheme],
      token_endpoint_auth_method: 'none',
    },
  });
});

afterEach(() => void vi.restoreAllMocks());

type Sent = Pick<InjectOptions, 'payload'> & {
  method: 'GET' | 'POST' | 'OPTIONS';
  url: string;
  headers?: Record<string, string>;
};

async function send(sender: string, { headers, ...request }: Sent) {
  const answer = await application().app.inject({
    ...request,
    headers: { host: new URL(publicUrl).host, origin: sender, ...headers },
  });
  const cors = Object.entries(answer.headers).filter(([name]) => name.startsWith('access-control-'));
  return { status: answer.statusCode, body: answer.body, vary: answer.headers.vary, cors };
}

const form = (fields: Record<string, string>) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  payload: new URLSearchParams({ client_id: portal.clientId, ...fields }).toString(),
});

const preflight = (url: string, method: string): Sent => ({
  method: 'OPTIONS',
  url,
  headers: {
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type',
  },
});

const preflights = [
  preflight('/connect/token', 'POST'),
  preflight('/connect/userinfo', 'GET'),
  preflight('/connect/revocation', 'POST'),
];

/** The requests that the portal's page sends with its own tokens. */
async function requestsOfPortal(): Promise<Sent[]> {
  const tokens = await redeem(application(), await signIn(application().openBrowser()));
  const token = String(tokens.json()['access_token']);
  return [
    {
      method: 'POST',
      url: '/connect/token',
      ...form({ grant_type: 'authorization_code', code: 'unknown', redirect_uri: portal.redirectUri }),
    },
    { method: 'GET', url: '/connect/userinfo', headers: { authorization: `Bearer ${token}` } },
    { method: 'POST', url: '/connect/userinfo', headers: { authorization: `Bearer ${token}` } },
    { method: 'POST', url: '/connect/revocation', ...form({ token }) },
  ];
}

/** Origins that no public client has registered, including some that resemble a registered one. */
const strangers = [
  'null',
  'https://evil.test',
  'http://localhost:4401.evil.test',
  'http://evil.test:4401',
  'http://sub.localhost:4401',
  'http://localhost:4402',
  'http://localhost:44010',
  'http://localhost',
  'https://localhost:4401',
  'http://127.0.0.1:4401',
  'http://[::1]:4401',
  'http://localhost.:4401',
  'http://LOCALHOST:4401',
  'HTTP://localhost:4401',
  'http://localhost:4401/',
  'http://localhost:4401/callback',
  'http://localhost:4401?',
  'http://localhost:4401@evil.test',
  'http://evil.test@localhost:4401',
  'http://localhost:4401, https://evil.test',
  'http://localhost:4401 https://evil.test',
  'localhost:4401',
  '//localhost:4401',
  'http://xlocalhost:4401',
  'file://',
  'blob:http://localhost:4401',
  nativeScheme,
  'com.example.boards:',
  'com.example.boards://',
  '*',
  'undefined',
  publicUrl,
  'https://other.example.evil.test',
  'https://sub.other.example',
  'http://other.example',
  'https://other.example:8443',
  confidentialPage,
];

describe('the page of a public client [S55]', () => {
  test('can read the responses to its own requests, without credentials', async () => {
    const answers = [];
    for (const request of await requestsOfPortal()) answers.push(await send(origin, request));
    expect(answers.map(({ status }) => status)).toEqual([400, 200, 200, 200]);
    for (const { cors, vary } of answers) {
      expect(Object.fromEntries(cors)).toEqual({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'WWW-Authenticate',
      });
      expect(vary).toContain('Origin');
    }
  });

  test.each(preflights)('can send $url: its preflight request is accepted', async (request) => {
    const { status, cors, vary } = await send(origin, request);
    expect(status).toBe(204);
    expect(Object.fromEntries(cors)).toEqual({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': request.url === '/connect/userinfo' ? 'GET,POST' : 'POST',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '3600',
    });
    expect(vary).toContain('Origin');
  });

  test('can read why an authorization code is rejected', async () => {
    const [request] = await requestsOfPortal();
    expect(request && (await send(origin, request)).body).toContain('invalid_grant');
  });
});

describe('a page of any other origin [S55]', () => {
  test('cannot read a client’s responses or learn anything about a user', async () => {
    const requests = await requestsOfPortal();
    let refused = 0;
    // Includes the page of another public client, which cannot read this client's responses either.
    for (const sender of [...strangers, otherPage]) {
      for (const request of requests) {
        const { cors, status, body } = await send(sender, request);
        expect(cors, `${sender} ${request.method} ${request.url}`).toEqual([]);
        expect(status).toBe(400);
        expect(body).not.toContain('Okafor');
        refused += 1;
      }
    }
    expect(refused).toBe(152);
  });

  test('gets no permission from any preflight', async () => {
    let refused = 0;
    for (const sender of strangers) {
      for (const request of preflights) {
        expect((await send(sender, request)).cors, `${sender} ${request.url}`).toEqual([]);
        refused += 1;
      }
    }
    expect(refused).toBe(111);
  });

  test('can read public documents, without credentials', async () => {
    for (const sender of [...strangers, origin]) {
      for (const url of ['/.well-known/openid-configuration', '/connect/jwks']) {
        for (const request of [{ method: 'GET', url } as const, preflight(url, 'GET')]) {
          const cors = Object.fromEntries((await send(sender, request)).cors);
          expect(cors['access-control-allow-origin']).toBe('*');
          expect(cors).not.toHaveProperty('access-control-allow-credentials');
        }
      }
    }
  });
});

test.each([
  '/connect/authorize',
  '/connect/authorize/unknown',
  '/connect/session/end',
  '/api/ui/auth-context',
  '/api/ui/sites',
  '/ui/account/login',
])('no cross-origin page can read %s, which uses the browser’s cookies [S55]', async (url) => {
  const browser = application().openBrowser();
  await signIn(browser);
  for (const sender of [origin, otherPage, ...strangers]) {
    const { headers } = await browser.visit(url, { origin: sender });
    const cors = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
    expect(cors, sender).toEqual([]);
  }
});

test('an origin is rejected within five seconds after its client is removed [S55]', async () => {
  const { database } = application().services;
  await database.deleteFrom('clients').where('id', '=', 'other-page').execute();
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 6000);
  const [request] = preflights;
  expect(request && (await send(otherPage, request)).cors).toEqual([]);
});
