import { beforeAll, describe, expect, test } from 'vitest';
import { addClients } from '../../testing/add-clients.ts';
import { portal, publicUrl } from '../../testing/application.ts';
import { askUserInfo, redeem, signIn } from '../../testing/journeys.ts';
import { askForTokens, authorizeAddress } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { fingerprint } from './fingerprint.ts';

const application = useApplication();

/** Returns the redirect of an authorization request, and the error that our page would show. */
async function authorize(changes: Record<string, string | undefined>, extra = '') {
  const browser = application().openBrowser();
  const { address } = await browser.follow(`${authorizeAddress(portal, changes).address}${extra}`);
  const errorId = address.searchParams.get('errorId');
  const record = errorId === null ? undefined : await browser.call('/api/ui/error-message', { errorId });
  return { address, error: record?.json()['error'] ?? address.searchParams.get('error') };
}

describe('a redirect URI that does not exactly match a registered redirect URI never gets a response [S50]', () => {
  const { redirectUri } = portal;
  test.each([
    ['another path', `${redirectUri}/x`],
    ['an extra slash', `${redirectUri}/`],
    ['an extra query', `${redirectUri}?x=1`],
    ['a fragment', `${redirectUri}#x`],
    ['another case', redirectUri.replace('callback', 'Callback')],
    ['another port', redirectUri.replace('4401', '4402')],
    ['user information', redirectUri.replace('//', '//evil@')],
    ['127.0.0.1 for localhost', redirectUri.replace('localhost', '127.0.0.1')],
    ['a dot segment', redirectUri.replace('/callback', '/x/../callback')],
    ['a wildcard', 'http://localhost:4401/*'],
    ['an unrelated address', 'https://evil.test/callback'],
    ['a script', 'javascript:alert(1)'],
  ])('%s', async (_name, uri) => {
    const { address, error } = await authorize({ redirect_uri: uri });
    expect(address.origin).toBe(publicUrl);
    expect(address.pathname).toBe('/ui/home/error');
    expect(error).toBe('invalid_redirect_uri');
  });

  test('the redirect URI of another client [S03]', async () => {
    const { database } = application().services;
    const metadata = {
      redirect_uris: ['https://neighbour.example/callback'],
      token_endpoint_auth_method: 'none',
    };
    await addClients(database, { neighbour: metadata });
    const [theirs = ''] = metadata.redirect_uris;
    expect((await authorize({ redirect_uri: theirs })).address.pathname).toBe('/ui/home/error');
    const swapped = { client_id: 'neighbour', redirect_uri: redirectUri };
    expect((await authorize(swapped)).address.pathname).toBe('/ui/home/error');
    const control = await authorize({ client_id: 'neighbour', redirect_uri: theirs });
    expect(control.address.pathname).toBe('/ui/account/login');
  });

  test('a missing redirect URI, even if only one is registered', async () => {
    const { address } = await authorize({ redirect_uri: undefined });
    expect(address.pathname).toBe('/ui/home/error');
  });

  test('two redirect URIs, the first one valid', async () => {
    const { address } = await authorize({}, `&redirect_uri=${encodeURIComponent('https://evil.test/')}`);
    expect(address.pathname).toBe('/ui/home/error');
  });

  test('an unknown application', async () => {
    const { address, error } = await authorize({ client_id: 'nobody' });
    expect(address.pathname).toBe('/ui/home/error');
    expect(error).toBe('invalid_client');
  });
});

describe('responses name the issuer and use the query only [S50]', () => {
  test('`iss` is included in errors too', async () => {
    const { address } = await authorize({ prompt: 'none' });
    expect(address.searchParams.get('iss')).toBe(publicUrl);
  });

  test.each(['fragment', 'form_post.jwt', 'web_message', 'jwt', 'query.jwt'])(
    'response_mode=%s is rejected in the query',
    async (mode) => {
      const { address, error } = await authorize({ response_mode: mode });
      expect(address.href).toMatch(new RegExp(`^${portal.redirectUri}\\?`));
      expect(error).toBe('unsupported_response_mode');
    },
  );

  // For these response types, the standard returns errors in the fragment (OAuth 2.0 Multiple Response Types, 5).
  test.each(['token', 'id_token', 'response_type=%s is rejected', 'none'])(
    'response_type=%s is refused',
    async (type) => {
      const { address } = await authorize({ response_type: type });
      const response = new URLSearchParams(address.hash === '' ? address.search : address.hash.slice(1));
      expect(response.get('error')).toMatch(/^(unsupported_response_type|invalid_request)$/);
      expect(response.get('iss')).toBe(publicUrl);
      expect(response.has('id_token') || response.has('access_token')).toBe(false);
    },
  );
});

describe('a client that is registered without PKCE [S51]', () => {
  const secret = 's'.repeat(43);
  const withoutChallenge = { code_challenge: undefined, code_challenge_method: undefined };
  beforeAll(async () => {
    const { database } = application().services;
    const confidential = {
      client_secret: fingerprint(secret),
      token_endpoint_auth_method: 'client_secret_post',
    };
    await addClients(
      database,
      {
        confidential,
        strict: { ...confidential, pkce_optional: undefined },
        public: { token_endpoint_auth_method: 'none' },
      },
      { redirect_uris: [portal.redirectUri], pkce_optional: true },
    );
  });

  const redeemAs = (started: { code: string }, fields: Record<string, string>) =>
    askForTokens(application().app, publicUrl, portal, {
      grant_type: 'authorization_code',
      code: started.code,
      redirect_uri: portal.redirectUri,
      client_id: 'confidential',
      client_secret: secret,
      ...fields,
    });

  test('can omit PKCE if it authenticates', async () => {
    const changes = { client_id: 'confidential', ...withoutChallenge };
    const started = await signIn(application().openBrowser(), changes);
    const tokens = await redeemAs(started, {});
    expect(tokens.status, tokens.text).toBe(200);
  });

  test('must prove a challenge that it has sent', async () => {
    const started = await signIn(application().openBrowser(), { client_id: 'confidential' });
    expect((await redeemAs(started, {})).json()).toMatchObject({ error: 'invalid_grant' });
  });

  test('must not send a verifier for a code without a challenge', async () => {
    const changes = { client_id: 'confidential', ...withoutChallenge };
    const started = await signIn(application().openBrowser(), changes);
    const tokens = await redeemAs(started, { code_verifier: 'v'.repeat(43) });
    expect(tokens.json()).toMatchObject({ error: 'invalid_grant' });
  });

  test.each([
    ['a public client', 'public'],
    ['registered without this setting', 'strict'],
  ])('still needs PKCE if it is %s', async (_what, client_id) => {
    expect((await authorize({ client_id, ...withoutChallenge })).error).toBe('invalid_request');
  });
});

describe('every other client must use PKCE [S51]', () => {
  test.each([
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['plain', { code_challenge_method: 'plain' }],
    ['a challenge without its method', { code_challenge_method: undefined }],
    ['a method without its challenge', { code_challenge: undefined }],
    ['an invalid challenge', { code_challenge: 'short' }],
  ])('%s is rejected', async (_name, changes) => {
    expect((await authorize(changes)).error).toBe('invalid_request');
  });

  test.each([
    ['missing', ''],
    ['wrong', 'w'.repeat(43)],
    ['too short', 'short'],
  ])('a %s verifier gets no token', async (_name, verifier) => {
    const started = await signIn(application().openBrowser());
    const answer = await redeem(application(), started, { code_verifier: verifier });
    expect(answer.status).toBe(400);
    expect(answer.json()['error']).toMatch(/^invalid_(grant|request)$/);
    expect(answer.json()).not.toHaveProperty('access_token');
  });
});

describe('unsupported and oversized parameters are rejected [S54]', () => {
  test.each([
    ['request', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['request_uri', { request_uri: 'http://127.0.0.1:1/x' }, 'request_uri_not_supported'],
    ['registration', { registration: '{}' }, 'registration_not_supported'],
    ['max_age=-1', { max_age: '-1' }, 'invalid_request'],
    ['max_age=x', { max_age: 'x' }, 'invalid_request'],
    ['an unknown prompt', { prompt: 'dance' }, 'invalid_request'],
    ['none with another prompt', { prompt: 'none login' }, 'invalid_request'],
    ['a scope with an invalid character', { scope: 'openid "' }, 'invalid_scope'],
  ])('%s', async (_name, changes, error) => {
    expect((await authorize(changes)).error).toBe(error);
  });

  test.each([
    ['50 kB of scope', { scope: `openid ${'x'.repeat(50_000)}` }],
    [
      '10,000 scopes',
      { scope: `openid ${Array.from({ length: 10_000 }, (_, index) => `s${index}`).join(' ')}` },
    ],
    ['20 kB of state', { state: 's'.repeat(20_000) }],
    ['a bomb of claims', { claims: JSON.stringify(Array.from({ length: 5000 }, () => ({ a: {} }))) }],
  ])('%s is reported on the error page as too long, and nothing is stored', async (_name, changes) => {
    const { database } = application().services;
    const count = async () => (await database.selectFrom('sign_ins').select('uid').execute()).length;
    const before = await count();
    const { address, error } = await authorize(changes);
    expect(address.pathname).toBe('/ui/home/error');
    expect(error).toBe('invalid_request');
    expect(await count()).toBe(before);
  });

  test.each([
    ['one parameter', { state: 's'.repeat(4096) }],
    [
      'several parameters together',
      { state: 's'.repeat(1500), nonce: 'n'.repeat(1500), login_hint: 'h'.repeat(1000) },
    ],
  ])(
    'more than 4 kB in %s is rejected at the application, and nothing is stored [S67]',
    async (_name, changes) => {
      const { database } = application().services;
      const tables = ['sign_ins', 'openid_records', 'error_records', 'sessions'] as const;
      const read = () => Promise.all(tables.map((table) => database.selectFrom(table).selectAll().execute()));
      const before = await read();
      const { address, error } = await authorize(changes);
      expect(`${address.origin}${address.pathname}`).toBe(portal.redirectUri);
      expect(error).toBe('invalid_request');
      expect(address.searchParams.get('error_description')).toMatch(/4096 bytes/);
      expect(address.searchParams.get('state')).toBe(changes.state);
      expect(await read()).toEqual(before);
    },
  );

  test('a state of 3 kB, the longest of known libraries, is accepted [S67]', async () => {
    const { address } = await authorize({ state: 's'.repeat(3000) });
    expect(address.pathname).toBe('/ui/account/login');
  });

  test('an oversized form body is rejected with 413 before it is parsed', async () => {
    const response = await application().app.inject({
      method: 'POST',
      url: '/connect/authorize',
      headers: { host: new URL(publicUrl).host, 'content-type': 'application/x-www-form-urlencoded' },
      payload: `scope=${'x'.repeat(50_000)}`,
    });
    expect(response.statusCode).toBe(413);
  });

  test('any number of unsupported scopes is ignored', async () => {
    const scope = `openid ${Array.from({ length: 300 }, (_, index) => `unknown${index}`).join(' ')}`;
    const tokens = await redeem(application(), await signIn(application().openBrowser(), { scope }));
    expect(tokens.json()['scope']).toBe('openid');
  });

  test('a resource that is not registered for the client is rejected', async () => {
    expect((await authorize({ resource: 'https://evil.test/' })).error).toBe('invalid_target');
  });

  test('repeated prompt=none requests store nothing', async () => {
    const { database } = application().services;
    const browser = application().openBrowser();
    const count = async () => (await database.selectFrom('openid_records').select('id').execute()).length;
    const before = await count();
    for (let round = 0; round < 20; round += 1) {
      const { address } = await browser.follow(authorizeAddress(portal, { prompt: 'none' }).address);
      expect(address.searchParams.get('error')).toBe('login_required');
    }
    expect(await count()).toBe(before);
  });

  test('a repeated parameter is rejected', async () => {
    expect((await authorize({}, '&state=other')).error).toBe('invalid_request');
  });

  test.each([
    '/connect/registration',
    '/connect/session/end/confirm',
    '/connect/session/end/success',
    '/connect/request',
    '/connect/device',
  ])('%s does not exist', async (path) => {
    const browser = application().openBrowser();
    expect((await browser.visit(path)).status).toBe(404);
    expect([404, 405, 415]).toContain((await browser.post(path, {})).status);
  });
});

describe('URLs use the configured host [S05]', () => {
  test('forwarded headers do not change the host in the discovery document', async () => {
    const browser = application().openBrowser();
    const answer = await browser.visit('/.well-known/openid-configuration', {
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'javascript',
      forwarded: 'host=evil.test;proto=gopher',
    });
    expect(answer.status).toBe(200);
    const metadata = answer.json();
    expect(metadata).toMatchObject({
      issuer: publicUrl,
      response_modes_supported: ['query', 'form_post'],
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      request_uri_parameter_supported: false,
    });
    for (const [name, value] of Object.entries(metadata)) {
      if (/_endpoint$|_uri$/.test(name))
        expect(String(value), name).toMatch(new RegExp(`^${publicUrl}/connect/`));
    }
    expect(metadata).not.toHaveProperty('registration_endpoint');
  });

  test('a request for another host is rejected', async () => {
    const answer = await application()
      .openBrowser()
      .visit('/.well-known/openid-configuration', { host: 'evil.test' });
    expect(answer.status).toBe(421);
  });
});

test('a revoked token is invalid, and the response has no body and no content type', async () => {
  const { app } = application();
  const tokens = await redeem(application(), await signIn(application().openBrowser()));
  const accessToken = String(tokens.json()['access_token']);
  const answer = await app.inject({
    method: 'POST',
    url: '/connect/revocation',
    headers: {
      host: new URL(publicUrl).host,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams({ client_id: portal.clientId, token: accessToken }).toString(),
  });
  expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([200, undefined, '']);
  expect((await askUserInfo(application(), accessToken)).status).toBe(401);
});

describe('the provider’s responses have the same headers as all others [S16, S17, S55]', () => {
  test.each([
    '/.well-known/openid-configuration',
    '/connect/jwks',
    '/connect/authorize',
    '/connect/userinfo',
    '/connect/session/end',
  ])('%s', async (path) => {
    const { headers } = await application().openBrowser().visit(path, { origin: 'https://evil.test' });
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBeDefined();
    expect(headers['cache-control']).toContain('no-store');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(['*', undefined]).toContain(headers['access-control-allow-origin']);
    expect(headers['content-type'] ?? '').not.toContain('html');
  });
});
