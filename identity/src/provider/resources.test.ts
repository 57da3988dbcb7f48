import { beforeAll, describe, expect, test } from 'vitest';
import { addClients } from '../../testing/add-clients.ts';
import { portal, publicUrl } from '../../testing/application.ts';
import type { Answer } from '../../testing/browser.ts';
import { askUserInfo, followToApplication, redeem, sendPassword } from '../../testing/journeys.ts';
import { askForTokens, authorizeAddress, beginSignIn } from '../../testing/relying-party.ts';
import { isSignedByOneOf, readHeader } from '../../testing/signatures.ts';
import { useApplication } from '../../testing/use-application.ts';
import { fingerprint } from './fingerprint.ts';

const application = useApplication();
const secret = 's'.repeat(43);
const booksApi = 'https://books.example/api';
const votesApi = 'https://votes.example/api';

beforeAll(async () => {
  const { database } = application().services;
  await addClients(
    database,
    {
      page: {
        redirect_uris: [portal.redirectUri],
        token_endpoint_auth_method: 'none',
        resources: [booksApi, votesApi],
      },
      books: { grant_types: [], resource: booksApi, resource_scopes: 'books.read books.write' },
      votes: {
        grant_types: [],
        resource: votesApi,
        resource_scopes: 'votes.read',
        resource_tokens: 'opaque',
      },
      reports: { grant_types: ['client_credentials'], resources: [booksApi] },
      without: { redirect_uris: [portal.redirectUri], token_endpoint_auth_method: 'none' },
    },
    { client_secret: fingerprint(secret), token_endpoint_auth_method: 'client_secret_post' },
  );
});

const claimsOf = (jwt: unknown): Record<string, unknown> =>
  JSON.parse(Buffer.from(String(jwt).split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

/** Signs in at the client `page` and requests a token for an API. */
async function tokensFor(resource: string, scope: string): Promise<Answer> {
  const browser = application().openBrowser();
  const page = { ...portal, clientId: 'page' };
  const started = await beginSignIn(browser, page, { resource, scope: `openid ${scope}` });
  const response = await followToApplication(browser, await sendPassword(browser, started));
  const { codeVerifier } = started;
  return redeem(
    application(),
    { code: response.get('code') ?? '', codeVerifier },
    { client_id: 'page', resource },
  );
}

async function introspect(clientId: string, token: unknown, password = secret) {
  const answer = await application().app.inject({
    method: 'POST',
    url: '/connect/introspection',
    headers: { host: new URL(publicUrl).host, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      client_id: clientId,
      client_secret: password,
      token: String(token),
    }).toString(),
  });
  const body: Record<string, unknown> = answer.json();
  return { status: answer.statusCode, body };
}

const serviceToken = (fields: Record<string, string>) =>
  askForTokens(
    application().app,
    publicUrl,
    { ...portal, clientId: 'reports' },
    { grant_type: 'client_credentials', client_secret: secret, ...fields },
  );

describe('an access token for an API', () => {
  test('is a JWT with the user, the site, the client and the scopes of the API (RFC 9068)', async () => {
    const tokens = await tokensFor(booksApi, 'books.read votes.read');
    const accessToken = tokens.json()['access_token'];
    expect(readHeader(String(accessToken))).toMatchObject({ typ: 'at+jwt' });
    const jwks = (await application().openBrowser().visit('/connect/jwks')).json();
    expect(isSignedByOneOf(String(accessToken), jwks)).toBe(true);
    const claims = claimsOf(accessToken);
    expect(claims).toMatchObject({
      iss: publicUrl,
      aud: booksApi,
      client_id: 'page',
      scope: 'books.read',
      site: 'harbor',
    });
    expect(claims['sub']).toBe(claimsOf(tokens.json()['id_token'])['sub']);
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(600);
    // The token is for the API only, so userinfo rejects it.
    expect((await askUserInfo(application(), accessToken)).status).toBe(401);
  });

  test('is opaque if the API uses introspection, and ends with the session', async () => {
    const tokens = await tokensFor(votesApi, 'votes.read');
    const token = tokens.json()['access_token'];
    expect(await introspect('votes', token)).toMatchObject({
      status: 200,
      body: { active: true, aud: votesApi, scope: 'votes.read', client_id: 'page', site: 'harbor' },
    });
    const { sub } = (await introspect('votes', token)).body;
    const { database } = application().services;
    await database.updateTable('users').set({ status: 'disabled' }).where('id', '=', String(sub)).execute();
    expect((await introspect('votes', token)).body).toEqual({ active: false });
    await database.updateTable('users').set({ status: 'active' }).execute();
  });

  test.each([
    ['an unregistered API', { client_id: 'page', resource: 'https://evil.test/' }],
    ['an API of other clients', { client_id: 'without', resource: booksApi }],
  ])('is rejected for %s', async (_name, changes) => {
    const { address } = await application().openBrowser().follow(authorizeAddress(portal, changes).address);
    expect(address.searchParams.get('error')).toBe('invalid_target');
  });
});

describe('introspection (RFC 7662)', () => {
  test('reveals nothing about a token for another API', async () => {
    const token = (await tokensFor(votesApi, 'votes.read')).json()['access_token'];
    expect((await introspect('books', token)).body).toEqual({ active: false });
    expect((await introspect('reports', token)).body).toEqual({ active: false });
  });

  test('requires the client secret', async () => {
    expect(await introspect('votes', 'any', 'wrong')).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });

  test('is not available to a public client', async () => {
    const token = (await tokensFor(votesApi, 'votes.read')).json()['access_token'];
    const { body } = await introspect('page', token);
    expect(body).not.toMatchObject({ active: true });
  });
});

describe('a service', () => {
  test('gets its own token for an API that it is registered for', async () => {
    const tokens = await serviceToken({ resource: booksApi, scope: 'books.write' });
    expect(tokens.status, tokens.text).toBe(200);
    const claims = claimsOf(tokens.json()['access_token']);
    expect(claims).toMatchObject({
      aud: booksApi,
      client_id: 'reports',
      sub: 'reports',
      scope: 'books.write',
    });
    expect(claims).not.toHaveProperty('site');
    expect(tokens.json()).not.toHaveProperty('refresh_token');
  });

  test.each([
    ['for an API that is not registered for it', { resource: votesApi }, 'invalid_target'],
    ['with a wrong secret', { resource: booksApi, client_secret: 'wrong' }, 'invalid_client'],
  ])('gets no token %s', async (_name, fields, error) => {
    expect((await serviceToken(fields)).json()).toMatchObject({ error });
  });

  test('cannot sign a user in', async () => {
    const { address } = await application()
      .openBrowser()
      .follow(authorizeAddress(portal, { client_id: 'reports' }).address);
    expect(address.pathname).toBe('/ui/home/error');
  });

  test('is the only kind of client that gets tokens without a user', async () => {
    for (const clientId of ['page', 'votes']) {
      const answer = await serviceToken({ client_id: clientId, resource: booksApi });
      expect(answer.json()['error']).toMatch(/^(unauthorized_client|invalid_client|invalid_request)$/);
    }
  });
});
