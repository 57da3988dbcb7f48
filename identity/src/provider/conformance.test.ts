import { supportedLocales } from '@anteroom/contract';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { addClients } from '../../testing/add-clients.ts';
import { portal, publicUrl } from '../../testing/application.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import {
  askUserInfo,
  obtainTokens,
  readIdToken,
  redeem,
  sendPassword,
  signIn,
} from '../../testing/journeys.ts';
import { askForTokens, authorizeAddress } from '../../testing/relying-party.ts';
import { isSignedByOneOf, readHeader } from '../../testing/signatures.ts';
import { useApplication } from '../../testing/use-application.ts';
import { fingerprint } from './fingerprint.ts';

// Attacks and faults, S49: the modules of the OpenID conformance suite (release 5.2.3) for a basic provider, its
// configuration and its sign-out, under the suite's own names. Every request uses PKCE, which this service requires
// and the suite's requests lack. For features that the service does not offer, the tests verify that requests are
// rejected or that discovery does not list them, which the suite accepts too.

const application = useApplication();
const secret = 'a'.repeat(43);

beforeAll(async () => {
  const { database } = application().services;
  await addClients(
    database,
    {
      'by-post': {
        client_secret: fingerprint(secret),
        token_endpoint_auth_method: 'client_secret_post',
      },
      'by-header': {
        client_secret: fingerprint(secret),
        token_endpoint_auth_method: 'client_secret_basic',
      },
    },
    {
      redirect_uris: [portal.redirectUri],
      post_logout_redirect_uris: ['http://localhost:4401/signed-out'],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  );
});

afterEach(() => void vi.useRealTimers());

/** Signs in and returns the claims of the ID token. */
async function claimsAfter(
  changes: Record<string, string | undefined>,
  browser = application().openBrowser(),
) {
  const tokens = await redeem(application(), await signIn(browser, changes));
  return { browser, tokens: tokens.json(), claims: readIdToken(tokens) };
}

/** Sends another request in a signed-in browser. Returns the redirect with a code, or the page. */
async function again(browser: Browser, changes: Record<string, string | undefined>) {
  const request = authorizeAddress(portal, changes);
  const { address } = await browser.follow(request.address);
  const code = address.searchParams.get('code');
  const claims =
    code === null
      ? undefined
      : readIdToken(await redeem(application(), { code, codeVerifier: request.codeVerifier }));
  return { address, claims };
}

/** The error that the application or the user gets for a rejected request. */
async function refusalOf(changes: Record<string, string | undefined>): Promise<string> {
  const browser = application().openBrowser();
  const { address } = await browser.follow(authorizeAddress(portal, changes).address);
  const errorId = address.searchParams.get('errorId');
  if (errorId === null) return address.searchParams.get('error') ?? address.href;
  return String((await browser.call('/api/ui/error-message', { errorId })).json()['error']);
}

const discovery = async (): Promise<Record<string, unknown>> =>
  (await application().openBrowser().visit('/.well-known/openid-configuration')).json();

describe('oidcc-basic-certification-test-plan [S49]', () => {
  test('oidcc-server [I12]', async () => {
    const { tokens, claims } = await claimsAfter({});
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 600 });
    expect(claims).toMatchObject({ iss: publicUrl, aud: portal.clientId });
    for (const name of ['sub', 'iat', 'exp', 'nonce', 'auth_time']) expect(claims).toHaveProperty(name);
    expect(String(claims['sub']).length).toBeLessThanOrEqual(255);
  });

  test('oidcc-response-type-missing', async () => {
    expect(await refusalOf({ response_type: undefined })).toBe('invalid_request');
  });

  test('oidcc-idtoken-signature', async () => {
    const { browser, tokens } = await claimsAfter({});
    const jwks = (await browser.visit('/connect/jwks')).json();
    expect(readHeader(String(tokens['id_token']))).toHaveProperty('kid');
    expect(isSignedByOneOf(String(tokens['id_token']), jwks)).toBe(true);
  });

  test('oidcc-idtoken-unsigned', async () => {
    const { id_token_signing_alg_values_supported: offered } = await discovery();
    expect(offered).not.toContain('none');
  });

  test('oidcc-userinfo-get', async () => {
    const { tokens, claims } = await claimsAfter({});
    expect((await askUserInfo(application(), tokens['access_token'])).claims['sub']).toBe(claims['sub']);
  });

  test.each(['oidcc-userinfo-post-header', 'oidcc-userinfo-post-body'])('%s', async (module) => {
    const { tokens, claims } = await claimsAfter({});
    const token = String(tokens['access_token']);
    const isInBody = module.endsWith('body');
    const response = await application().app.inject({
      method: 'POST',
      url: '/connect/userinfo',
      headers: {
        host: new URL(publicUrl).host,
        ...(isInBody
          ? { 'content-type': 'application/x-www-form-urlencoded' }
          : { authorization: `Bearer ${token}` }),
      },
      ...(isInBody && { payload: `access_token=${token}` }),
    });
    expect(response.statusCode, response.body).toBe(200);
    expect(response.json<Record<string, unknown>>()['sub']).toBe(claims['sub']);
  });

  test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
    const { claims } = await claimsAfter({ nonce: undefined });
    expect(claims).not.toHaveProperty('nonce');
  });

  test.each([
    ['oidcc-scope-profile', 'openid profile', ['name', 'given_name', 'family_name']],
    ['oidcc-scope-email', 'openid email', ['email']],
    // The service does not offer these scopes, and ignores them instead of rejecting the request (OpenID Connect Core,
    // 3.1.2.1).
    ['oidcc-scope-address', 'openid address', []],
    ['oidcc-scope-phone', 'openid phone', []],
    ['oidcc-scope-all', 'openid profile email address phone', ['name', 'email']],
  ])('%s', async (_module, scope, names) => {
    const { tokens } = await claimsAfter({ scope });
    const { status, claims } = await askUserInfo(application(), tokens['access_token']);
    expect(status).toBe(200);
    for (const name of names) expect(claims).toHaveProperty(name);
    for (const name of ['name', 'email'].filter((one) => !names.includes(one)))
      expect(claims).not.toHaveProperty(name);
  });

  test('oidcc-alternate-happy-flow', async () => {
    const { claims } = await claimsAfter({ scope: 'openid', state: undefined, nonce: 'x'.repeat(43) });
    expect(claims['nonce']).toBe('x'.repeat(43));
  });

  test.each([
    ['oidcc-display-page', { display: 'page' }],
    ['oidcc-display-popup', { display: 'popup' }],
    ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
    ['oidcc-login-hint', { login_hint: 'secretary@demo.example' }],
    ['oidcc-ui-locales', { ui_locales: 'se de' }],
    ['oidcc-claims-locales', { claims_locales: 'se' }],
    ['oidcc-ensure-request-with-acr-values-succeeds', { acr_values: '1 2' }],
    ['oidcc-ensure-request-with-valid-pkce-succeeds', {}],
  ])('%s', async (_module, changes) => {
    expect((await claimsAfter(changes)).claims).toMatchObject({ aud: portal.clientId });
  });

  test('oidcc-claims-essential', async () => {
    const claims = '{"userinfo":{"name":{"essential":true}}}';
    const { tokens } = await claimsAfter({ scope: 'openid', claims });
    expect((await askUserInfo(application(), tokens['access_token'])).claims).toHaveProperty('name');
  });

  test('oidcc-prompt-login', async () => {
    const { browser, claims: first } = await claimsAfter({});
    application().clock.advanceSeconds(2);
    expect((await again(browser, { prompt: 'login' })).address.pathname).toBe('/ui/account/login');
    const { claims: second } = await claimsAfter({ prompt: 'login' }, browser);
    expect(second['sub']).toBe(first['sub']);
    expect(Number(second['auth_time'])).toBeGreaterThan(Number(first['auth_time']));
  });

  test('oidcc-prompt-none-not-logged-in', async () => {
    expect(await refusalOf({ prompt: 'none' })).toBe('login_required');
  });

  test('oidcc-prompt-none-logged-in', async () => {
    const { browser, claims: first } = await claimsAfter({});
    const { claims: second } = await again(browser, { prompt: 'none' });
    expect(second).toMatchObject({ sub: first['sub'], auth_time: first['auth_time'] });
  });

  test('oidcc-max-age-1', async () => {
    const { browser } = await claimsAfter({});
    // Fakes the machine's clock, which the provider uses for this comparison.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    expect((await again(browser, { max_age: '1' })).address.pathname).toBe('/ui/account/login');
  });

  test('oidcc-max-age-10000', async () => {
    const { browser, claims: first } = await claimsAfter({});
    const { claims: second } = await again(browser, { max_age: '10000' });
    expect(second).toMatchObject({ sub: first['sub'], auth_time: first['auth_time'] });
  });

  test('oidcc-id-token-hint', async () => {
    const { browser, tokens, claims: first } = await claimsAfter({});
    const hint = { prompt: 'none', id_token_hint: String(tokens['id_token']) };
    expect((await again(browser, hint)).claims).toMatchObject({ sub: first['sub'] });
  });

  test.each(['oidcc-codereuse', 'oidcc-codereuse-30seconds'])('%s', async (module) => {
    const started = await signIn(application().openBrowser());
    const tokens = await redeem(application(), started);
    if (module.endsWith('30seconds')) application().clock.advanceSeconds(30);
    const second = await redeem(application(), started);
    expect([second.status, second.json()['error']]).toEqual([400, 'invalid_grant']);
    expect((await askUserInfo(application(), tokens.json()['access_token'])).status).toBe(401);
  });

  test('oidcc-ensure-registered-redirect-uri', async () => {
    expect(await refusalOf({ redirect_uri: `${portal.redirectUri}?x=1` })).toBe('invalid_redirect_uri');
  });

  test('oidcc-ensure-post-request-succeeds [I12]', async () => {
    const browser = application().openBrowser();
    const request = authorizeAddress(portal);
    const posted = await application().app.inject({
      method: 'POST',
      url: '/connect/authorize',
      headers: { host: new URL(publicUrl).host, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URL(request.address, publicUrl).search.slice(1),
    });
    expect(posted.statusCode).toBe(303);
    const { address } = await browser.follow(String(posted.headers.location));
    const returnUrl = address.searchParams.get('ReturnUrl') ?? '';
    await browser.call('/api/ui/auth-context', { returnUrl });
    const tokens = await obtainTokens(
      application(),
      browser,
      request,
      await sendPassword(browser, { returnUrl }),
    );
    expect(readIdToken(tokens)).toMatchObject({ nonce: request.nonce });
  });

  test('oidcc-server-client-secret-post', async () => {
    const redeemWith = async (clientSecret: string): Promise<Answer> => {
      const party = { ...portal, clientId: 'by-post' };
      const started = await signIn(application().openBrowser(), { client_id: party.clientId });
      return askForTokens(application().app, publicUrl, party, {
        grant_type: 'authorization_code',
        code: started.code,
        redirect_uri: portal.redirectUri,
        code_verifier: started.codeVerifier,
        client_secret: clientSecret,
      });
    };
    expect(readIdToken(await redeemWith(secret))).toMatchObject({ aud: 'by-post' });
    expect((await redeemWith(`${secret.slice(1)}b`)).json()).toMatchObject({ error: 'invalid_client' });
  });

  test.each([
    ['oidcc-request-uri-unsigned', { request_uri: 'https://example.com/r' }, 'request_uri_not_supported'],
    ['oidcc-unsigned-request-object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    [
      'oidcc-ensure-request-object-with-redirect-uri',
      { request: 'eyJhbGciOiJub25lIn0.e30.', redirect_uri: portal.redirectUri },
      'request_not_supported',
    ],
  ])('%s', async (_module, changes, error) => {
    expect(await refusalOf(changes)).toBe(error);
  });

  test('oidcc-refresh-token', async () => {
    const { tokens, claims } = await claimsAfter({ scope: 'openid offline_access', prompt: 'consent' });
    const refreshed = await askForTokens(application().app, publicUrl, portal, {
      grant_type: 'refresh_token',
      refresh_token: String(tokens['refresh_token']),
    });
    expect(readIdToken(refreshed)).toMatchObject({
      iss: claims['iss'],
      sub: claims['sub'],
      aud: claims['aud'],
      auth_time: claims['auth_time'],
    });
    expect((await askUserInfo(application(), refreshed.json()['access_token'])).status).toBe(200);
  });
});

describe('oidcc-config-certification-test-plan [S49]', () => {
  test('oidcc-discovery-endpoint-verification [I12]', async () => {
    const metadata = await discovery();
    expect(metadata).toMatchObject({
      issuer: publicUrl,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      claims_parameter_supported: true,
      request_uri_parameter_supported: false,
      ui_locales_supported: [...supportedLocales],
    });
    expect(metadata['scopes_supported']).toContain('openid');
    for (const name of ['authorization', 'token', 'userinfo', 'end_session'])
      expect(String(metadata[`${name}_endpoint`])).toMatch(new RegExp(`^${publicUrl}/connect/`));
    const { keys } = (
      await application()
        .openBrowser()
        .visit(new URL(String(metadata['jwks_uri'])).pathname)
    ).json() as { keys: Record<string, unknown>[] };
    for (const key of keys) {
      expect(Object.keys(key)).toEqual(expect.arrayContaining(['kid', 'kty', 'use']));
      for (const part of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(key).not.toHaveProperty(part);
    }
  });
});

describe('oidcc-rp-initiated-logout-certification-test-plan [S49]', () => {
  const back = 'http://localhost:4401/signed-out';

  /** Requests a sign-out with `query`. Returns the page, and the URL it leads to after the user confirms. */
  async function askToSignOut(query: Record<string, string | undefined>) {
    const { browser, tokens } = await claimsAfter({});
    const given = Object.entries({ id_token_hint: String(tokens['id_token']), ...query }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const { address } = await browser.follow(`/connect/session/end?${new URLSearchParams(given).toString()}`);
    const logoutId = address.searchParams.get('logoutId');
    const context =
      logoutId === null ? {} : (await browser.call('/api/ui/logout-context', { logoutId })).json();
    return { browser, page: address.pathname, leadsTo: context['postLogoutRedirectUri'], context };
  }

  test('oidcc-rp-initiated-logout-discovery-endpoint-verification', async () => {
    expect((await discovery())['end_session_endpoint']).toBe(`${publicUrl}/connect/session/end`);
  });

  test('oidcc-rp-initiated-logout [I12]', async () => {
    const { browser, page, leadsTo } = await askToSignOut({ post_logout_redirect_uri: back, state: 's' });
    expect([page, leadsTo]).toEqual(['/ui/account/logout', `${back}?state=s`]);
    expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
    expect((await again(browser, { prompt: 'none' })).address.searchParams.get('error')).toBe(
      'login_required',
    );
  });

  test('a sign-out request sent as a form behaves like a link', async () => {
    const { browser, tokens } = await claimsAfter({});
    const posted = await browser.postForm(
      '/connect/session/end',
      { id_token_hint: String(tokens['id_token']), post_logout_redirect_uri: back, state: 's' },
      // Browsers send a cross-site form post without our cookies.
      { origin: 'http://localhost:4401', 'sec-fetch-site': 'cross-site', cookie: '' },
    );
    expect(posted.status).toBe(303);
    const { address } = await browser.follow(String(posted.headers['location']));
    const logoutId = address.searchParams.get('logoutId') ?? '';
    const context = (await browser.call('/api/ui/logout-context', { logoutId })).json();
    expect(context).toMatchObject({ requiresConfirmation: false, postLogoutRedirectUri: `${back}?state=s` });
  });

  test.each([
    ['bad-post-logout-redirect-uri', { post_logout_redirect_uri: 'https://evil.test/' }],
    ['query-added-to-post-logout-redirect-uri', { post_logout_redirect_uri: `${back}?foo=bar` }],
    ['modified-id-token-hint', { id_token_hint: 'x.y.z', post_logout_redirect_uri: back }],
    ['bad-id-token-hint', { id_token_hint: 'not-a-token', post_logout_redirect_uri: back }],
  ])('oidcc-rp-initiated-logout-%s', async (_module, query) => {
    const { browser, page } = await askToSignOut(query);
    expect(page).toBe('/ui/home/error');
    // the user is still signed in
    expect((await browser.call('/api/ui/sites')).status).toBe(200);
  });

  test('oidcc-rp-initiated-logout-no-id-token-hint', async () => {
    const { context } = await askToSignOut({ id_token_hint: undefined, post_logout_redirect_uri: back });
    expect(context).toMatchObject({ requiresConfirmation: true });
    expect(context).not.toHaveProperty('postLogoutRedirectUri');
  });

  test.each([
    ['no-params', { id_token_hint: undefined }],
    ['only-state', { id_token_hint: undefined, state: 's' }],
  ])('oidcc-rp-initiated-logout-%s', async (_module, query) => {
    const { page, context } = await askToSignOut(query);
    expect(page).toBe('/ui/account/logout');
    expect(context).toMatchObject({ requiresConfirmation: true });
    expect(context).not.toHaveProperty('postLogoutRedirectUri');
  });

  test('oidcc-rp-initiated-logout-no-post-logout-redirect-uri', async () => {
    const { page, context } = await askToSignOut({});
    expect(page).toBe('/ui/account/logout');
    expect(context).toMatchObject({ requiresConfirmation: false });
  });

  test('oidcc-rp-initiated-logout-no-state', async () => {
    expect((await askToSignOut({ post_logout_redirect_uri: back })).leadsTo).toBe(back);
  });
});
