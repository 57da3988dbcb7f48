import { beforeAll, describe, expect, test } from 'vitest';
import { addClients } from '../../testing/add-clients.ts';
import { portal, publicUrl } from '../../testing/application.ts';
import { followToApplication, readIdToken, sendPassword } from '../../testing/journeys.ts';
import { askForTokens, authorizeAddress } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { fingerprint } from './fingerprint.ts';

const application = useApplication();
const secret = 's'.repeat(43);
const client = { ...portal, clientId: 'server' };

beforeAll(async () => {
  const { database } = application().services;
  await addClients(database, {
    [client.clientId]: {
      redirect_uris: [portal.redirectUri],
      client_secret: fingerprint(secret),
      token_endpoint_auth_method: 'client_secret_post',
    },
  });
});

/** Pushes an authorization request. Returns the endpoint's response and the code verifier. */
async function push(changes: Record<string, string | undefined> = {}, party = client) {
  const request = authorizeAddress(party, { client_secret: secret, ...changes });
  const answer = await application().app.inject({
    method: 'POST',
    url: '/connect/par',
    headers: { host: new URL(publicUrl).host, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URL(request.address, publicUrl).search.slice(1),
  });
  const body: Record<string, unknown> = answer.json();
  return { ...request, status: answer.statusCode, body };
}

const authorizeWith = (requestUri: unknown, clientId = client.clientId) =>
  `/connect/authorize?${new URLSearchParams({ client_id: clientId, request_uri: String(requestUri) }).toString()}`;

describe('a pushed authorization request (RFC 9126)', () => {
  test('signs a user in without exposing the parameters in the authorization URL', async () => {
    const browser = application().openBrowser();
    const pushed = await push({ site: 'harbor' });
    expect([pushed.status, pushed.body['expires_in']]).toEqual([201, 60]);
    const { address } = await browser.follow(authorizeWith(pushed.body['request_uri']));
    const returnUrl = address.searchParams.get('ReturnUrl') ?? '';
    await browser.call('/api/ui/auth-context', { returnUrl });
    const response = await followToApplication(browser, await sendPassword(browser, { returnUrl }));
    expect(response.get('state')).toBe(pushed.state);
    const tokens = await askForTokens(application().app, publicUrl, client, {
      grant_type: 'authorization_code',
      code: response.get('code') ?? '',
      redirect_uri: portal.redirectUri,
      code_verifier: pushed.codeVerifier,
      client_secret: secret,
    });
    expect(readIdToken(tokens)).toMatchObject({ nonce: pushed.nonce, site: 'harbor' });

    const { address: second } = await browser.follow(authorizeWith(pushed.body['request_uri']));
    expect(second.pathname).toBe('/ui/home/error');
  });

  test('cannot be used by another client', async () => {
    const { body } = await push();
    const { address } = await application()
      .openBrowser()
      .follow(authorizeWith(body['request_uri'], portal.clientId));
    expect(address.pathname).toBe('/ui/home/error');
  });

  test.each([
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 400, 'invalid_request'],
    ['a redirect URI that is not registered', { redirect_uri: 'https://evil.test/' }, 400, 'invalid_request'],
    ['an unknown response mode', { response_mode: 'fragment' }, 400, 'invalid_request'],
    ['more data than the service stores', { state: 's'.repeat(5000) }, 400, 'invalid_request'],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 400, 'request_not_supported'],
  ])('with %s is rejected', async (_name, changes, status, error) => {
    const pushed = await push(changes);
    expect([pushed.status, pushed.body['error']]).toEqual([status, error]);
  });

  test('of a public client is rejected and not stored', async () => {
    const { database } = application().services;
    const count = async () =>
      (await database.selectFrom('openid_records').where('model', 'like', 'Pushed%').select('id').execute())
        .length;
    const before = await count();
    const pushed = await push({ client_secret: undefined }, portal);
    expect([pushed.status, pushed.body['error']]).toEqual([400, 'invalid_request']);
    expect(await count()).toBe(before);
  });
});
