import { beforeAll, describe, expect, test } from 'vitest';
import { publicUrl } from '../../testing/application.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { readIdToken, sendPassword } from '../../testing/journeys.ts';
import { askForTokens, authorizeAddress } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

// RFC 8252: applications on the device of the user.

const application = useApplication();
const schemes = 'com.example.app:/callback';
const run = (...given: Parameters<ReturnType<typeof createCommandLine>['run']>) =>
  createCommandLine(application().services).run(...given);
const add = (id: string, redirectUris: string, ...more: string[]) =>
  run(['clients', 'add', id, '--display-name', id, '--redirect-uris', redirectUris, ...more]);
const native = ['--application-type', 'native', '--authentication', 'none'];

beforeAll(async () => {
  const loopback = 'http://127.0.0.1/callback http://[::1]:80/callback http://localhost:1234/callback';
  await add(
    'native',
    `${schemes} https://app.example/callback ${loopback}`,
    ...native,
    '--post-logout-redirect-uris',
    'com.example.app:/signed-out http://127.0.0.1/signed-out',
  );
  await add('web', 'http://127.0.0.1/callback', '--authentication', 'none');
});

describe('the registration', () => {
  test('of a native application stores its type and shows it', async () => {
    expect((await run('clients show native --json')).json()).toMatchObject([{ applicationType: 'native' }]);
    expect((await run('clients show web --json')).json()).toMatchObject([{ applicationType: 'web' }]);
  });

  test.each([
    [schemes, [], 'requires a native application (--application-type native)'],
    ['myapp:/callback', native, 'must be a reversed domain name'],
    ['javascript:alert(1)', native, 'must be a reversed domain name'],
    ['http://192.168.0.7/callback', native, 'loopback'],
    ['https://localhost/callback', native, 'localhost'],
  ])('with the redirect address %s and %j is refused: %s', async (uri, options, reason) => {
    const refused = await add('refused', uri, ...options);
    expect(refused.code).toBe(1);
    expect(refused.errors).toContain('redirectUris: ');
    expect(refused.errors).toContain(reason);
  });
});

/** Sends the browser to the authorization endpoint. Returns the redirect to the application. */
async function signIn(redirectUri: string, clientId = 'native') {
  const browser = application().openBrowser();
  const request = authorizeAddress({ clientId, redirectUri });
  const { address } = await browser.follow(request.address);
  const returnUrl = address.searchParams.get('ReturnUrl');
  if (returnUrl === null) return { browser, request, location: undefined };
  await browser.call('/api/ui/auth-context', { returnUrl });
  const answer = await sendPassword(browser, { returnUrl });
  let location = String(answer.json()['location']);
  while (location.startsWith('/') || location.startsWith(publicUrl))
    location = (await browser.visit(location)).headers['location'] ?? '';
  return { browser, request, location };
}

describe('a sign-in of a native application', () => {
  test.each([
    schemes,
    'https://app.example/callback',
    'http://127.0.0.1:51234/callback',
    'http://[::1]:51234/callback',
    'http://localhost:8080/callback',
  ])('returns tokens to %s', async (redirectUri) => {
    const { request, location } = await signIn(redirectUri);
    expect(location?.startsWith(`${redirectUri}?`)).toBe(true);
    const tokens = await askForTokens(
      application().app,
      publicUrl,
      { clientId: 'native', redirectUri },
      {
        grant_type: 'authorization_code',
        code: new URL(location ?? '').searchParams.get('code') ?? '',
        redirect_uri: redirectUri,
        code_verifier: request.codeVerifier,
      },
    );
    expect(readIdToken(tokens)).toMatchObject({ nonce: request.nonce });
  });

  test.each([
    'http://127.0.0.1:51234/other',
    'http://127.0.0.2:51234/callback',
    'https://127.0.0.1:51234/callback',
    'http://127.0.0.1.evil.test:51234/callback',
    'https://app.example:8443/callback',
    'com.example.app:/other',
    'com.example.other:/callback',
  ])('is refused for %s', async (redirectUri) => {
    expect((await signIn(redirectUri)).location).toBeUndefined();
  });

  test('only a native application can use another port', async () => {
    expect((await signIn('http://127.0.0.1:51234/callback', 'web')).location).toBeUndefined();
    expect((await signIn('http://127.0.0.1/callback', 'web')).location).toBeDefined();
  });

  test('can push its request if it authenticates', async () => {
    const added = await add('native-server', 'http://127.0.0.1/callback', '--application-type', 'native');
    const [, secret = ''] = added.output.trim().split('\n');
    const redirectUri = 'http://127.0.0.1:50000/callback';
    const request = authorizeAddress({ clientId: 'native-server', redirectUri });
    const pushed = await application().app.inject({
      method: 'POST',
      url: '/connect/par',
      headers: {
        host: new URL(publicUrl).host,
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`native-server:${secret}`).toString('base64')}`,
      },
      payload: new URL(request.address, publicUrl).search.slice(1),
    });
    expect(pushed.statusCode).toBe(201);
    const parameters = new URLSearchParams({
      client_id: 'native-server',
      request_uri: String(pushed.json<{ request_uri: string }>().request_uri),
    });
    const { address } = await application()
      .openBrowser()
      .follow(`/connect/authorize?${parameters.toString()}`);
    expect(address.pathname).toBe('/ui/account/login');
  });
});

test.each([
  ['com.example.app:/signed-out', 'com.example.app:/signed-out'],
  ['http://127.0.0.1:51234/signed-out', 'http://127.0.0.1:51234/signed-out'],
])('a sign-out leads to %s, over an address that the page follows', async (uri, target) => {
  const { browser } = await signIn(schemes);
  const query = new URLSearchParams({ client_id: 'native', post_logout_redirect_uri: uri, state: 'x' });
  const { address } = await browser.follow(`/connect/session/end?${query.toString()}`);
  const logoutId = address.searchParams.get('logoutId') ?? '';
  const context = (await browser.call('/api/ui/logout-context', { logoutId })).json();
  const onwards = String(context['postLogoutRedirectUri']);
  expect(onwards).toMatch(/^http:/);
  const location = onwards.startsWith(publicUrl)
    ? (await browser.visit(onwards)).headers['location']
    : onwards;
  expect(location).toBe(`${target}?state=x`);
});

test.each(['http://127.0.0.1', 'http://127.0.0.1:51234', 'http://localhost:1234', 'null'])(
  'a page of the origin %s cannot read what the native application gets',
  async (origin) => {
    await run(['clients', 'remove', 'web']);
    const answer = await application().app.inject({
      method: 'POST',
      url: '/connect/token',
      headers: {
        host: new URL(publicUrl).host,
        origin,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: 'grant_type=authorization_code&client_id=native&code=x',
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  },
);
