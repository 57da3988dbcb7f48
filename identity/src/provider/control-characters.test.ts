import type { InjectOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { useApplication } from '../../testing/use-application.ts';

// RFC 6749, appendix A, allows no control characters in parameters. PostgreSQL cannot store a NUL.

const application = useApplication();
const { host } = new URL(publicUrl);

/** The parameters that the provider reads on a route; `fixed` are the other parameters that the route requires. */
type Route = {
  url: string;
  names: readonly string[];
  fixed: Record<string, string>;
};

const clientAuthentication = ['client_id', 'client_secret', 'client_assertion', 'client_assertion_type'];

const authorize: Route = {
  url: '/connect/authorize',
  names: [
    'client_id',
    'response_type',
    'scope',
    'state',
    'nonce',
    'code_challenge',
    'code_challenge_method',
    'prompt',
    'max_age',
    'login_hint',
    'id_token_hint',
    'ui_locales',
    'acr_values',
    'claims_locales',
    'display',
    'site',
    'requested_language',
    'target_link_uri',
  ],
  fixed: {
    client_id: portal.clientId,
    redirect_uri: portal.redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  },
};
const endSession: Route = {
  url: '/connect/session/end',
  names: ['id_token_hint', 'post_logout_redirect_uri', 'state', 'ui_locales', 'client_id', 'logout_hint'],
  fixed: { client_id: portal.clientId, post_logout_redirect_uri: 'http://localhost:4401/signed-out' },
};
const userInfo: Route = { url: '/connect/userinfo', names: ['scope', 'access_token'], fixed: {} };
const token: Route = {
  url: '/connect/token',
  names: ['grant_type', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope'].concat(
    clientAuthentication,
  ),
  fixed: { client_id: portal.clientId, grant_type: 'authorization_code', code: 'x' },
};
const revocation: Route = {
  url: '/connect/revocation',
  names: ['token', 'token_type_hint', ...clientAuthentication],
  fixed: { client_id: portal.clientId, token: 'x' },
};

const controlCharacters = ['\0', '\u0001', '\t', '\n', '\r', '\u001b', '\u007f', '\u0085'];
/** Parameter values with each control character: alone, inside a value, and in the second of two values. */
const spellings = controlCharacters.flatMap((character) => [
  [character],
  [`a${character}b`],
  ['a', character],
]);

const withValues = ({ fixed }: Route, name: string, values: readonly string[]): URLSearchParams => {
  const parameters = new URLSearchParams(fixed);
  parameters.delete(name);
  for (const value of values) parameters.append(name, value);
  return parameters;
};

const json = { host, accept: 'application/json' };
const form = { ...json, 'content-type': 'application/x-www-form-urlencoded' };
const post = (
  url: string,
  payload: string | Buffer,
  headers: Record<string, string> = {},
): InjectOptions => ({
  method: 'POST',
  url,
  headers: { ...form, ...headers },
  payload,
});

/** Returns the response, and the errors logged during the request. */
async function send(options: InjectOptions) {
  const { app, log } = application();
  const before = log.length;
  const { statusCode, headers, body } = await app.inject(options);
  const failures = log.slice(before).filter(({ level }) => level === 'error' || level === 'fatal');
  return { status: statusCode, location: String(headers['location']), body, failures };
}

async function sendForJson(options: InjectOptions) {
  const { status, body, failures } = await send(options);
  return { status, answer: JSON.parse(body) as Record<string, unknown>, failures };
}
const refusal = (name: string) => ({
  status: 400,
  answer: { error: 'invalid_request', error_description: `${name} must not contain control characters` },
  failures: [],
});

/** Returns the path to which a navigation leads, and the error that the page shows there. */
async function navigate(url: string) {
  const { status, location, failures } = await send({ url, headers: { host, accept: 'text/html' } });
  const { pathname, searchParams } = new URL(location, publicUrl);
  const errorId = searchParams.get('errorId');
  const shown = errorId && (await application().openBrowser().call('/api/ui/error-message', { errorId }));
  return { status, pathname, error: shown ? shown.json()['error'] : searchParams.get('error'), failures };
}
const errorPage = (error = 'invalid_request') => ({
  status: 303,
  pathname: '/ui/home/error',
  error,
  failures: [],
});

describe('a control character in a parameter is rejected with invalid_request, and no error is logged [S54]', () => {
  test.each(token.names)('token endpoint: %s', async (name) => {
    for (const values of spellings) {
      const fields = withValues(token, name, values).toString();
      expect(await sendForJson(post(token.url, fields)), fields).toEqual(refusal(name));
    }
  });

  test.each(revocation.names)('revocation endpoint: %s', async (name) => {
    for (const values of spellings) {
      const fields = withValues(revocation, name, values).toString();
      expect(await sendForJson(post(revocation.url, fields)), fields).toEqual(refusal(name));
    }
  });

  test.each(userInfo.names)('userinfo endpoint, in the query or in a form: %s', async (name) => {
    for (const values of spellings) {
      const fields = withValues(userInfo, name, values).toString();
      expect(await sendForJson(post(userInfo.url, fields)), fields).toEqual(refusal(name));
      const url = `${userInfo.url}?${fields}`;
      expect(await sendForJson({ url, headers: json }), url).toEqual(refusal(name));
    }
  });

  test.each(endSession.names)('end session endpoint: %s', async (name) => {
    for (const values of spellings) {
      const url = `${endSession.url}?${withValues(endSession, name, values).toString()}`;
      expect(await sendForJson({ url, headers: json }), url).toEqual(refusal(name));
      expect(await navigate(url), url).toEqual(errorPage());
    }
  });

  test.each(authorize.names)('authorization endpoint, in the query or in a form: %s', async (name) => {
    const { database } = application().services;
    const count = async () => (await database.selectFrom('sign_ins').select('uid').execute()).length;
    const before = await count();
    for (const values of spellings) {
      const fields = withValues(authorize, name, values).toString();
      const url = `${authorize.url}?${fields}`;
      expect(await navigate(url), url).toEqual(errorPage());
      expect(await send(post(authorize.url, fields))).toMatchObject({ status: 303, location: url });
    }
    expect(await count()).toBe(before);
  });

  test('authorization endpoint: a redirect_uri is rejected as not registered, a response_mode as not supported', async () => {
    for (const character of controlCharacters) {
      const redirectUri = withValues(authorize, 'redirect_uri', [`${portal.redirectUri}${character}`]);
      expect(await navigate(`${authorize.url}?${redirectUri.toString()}`)).toEqual(
        errorPage('invalid_redirect_uri'),
      );
      const responseMode = withValues(authorize, 'response_mode', [`query${character}`]);
      expect(await navigate(`${authorize.url}?${responseMode.toString()}`)).toEqual({
        status: 303,
        pathname: new URL(portal.redirectUri).pathname,
        error: 'unsupported_response_mode',
        failures: [],
      });
    }
  });

  test('the URL of a pending sign-in: its id and the parameters that it repeats', async () => {
    expect(await navigate(`${authorize.url}/abcdefghijklmnop%00`)).toMatchObject({
      pathname: '/ui/home/error',
      failures: [],
    });
    for (const name of authorize.names) {
      const fields = withValues(authorize, name, ['\0']).toString();
      const { location, failures } = await send({
        url: `${authorize.url}/abcdefghijklmnopqrst?${fields}`,
        headers: { host, accept: 'text/html' },
      });
      expect(failures).toEqual([]);
      expect(await navigate(location), name).toEqual(errorPage());
    }
  });
});

describe('a control character in another encoding [S54]', () => {
  const grant = 'grant_type=authorization_code&code=x';

  test.each(['a\0b:secret', 'a%00b:secret', 'director:\0', 'director:%00', 'director:a%0ab'])(
    'in Basic credentials is rejected: %j',
    async (credentials) => {
      const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
      for (const options of [
        post(token.url, grant, { authorization }),
        post(revocation.url, 'token=x', { authorization }),
      ]) {
        expect(await sendForJson(options)).toMatchObject({
          status: 400,
          answer: { error: 'invalid_request' },
          failures: [],
        });
      }
    },
  );

  test('as a raw byte of a form is rejected', async () => {
    expect(await sendForJson(post(token.url, `${grant}&client_id=a\0b`))).toEqual(refusal('client_id'));
  });

  const unsigned = (payload: Record<string, unknown>): string =>
    [{ alg: 'ES256' }, payload]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .concat('AA')
      .join('.');

  test('in the subject of a client assertion means an unknown client', async () => {
    const assertion = new URLSearchParams({
      client_assertion: unsigned({ sub: 'a\0b' }),
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    }).toString();
    for (const options of [
      post(token.url, `${grant}&${assertion}`),
      post(revocation.url, `token=x&${assertion}`),
    ]) {
      expect(await sendForJson(options)).toMatchObject({
        status: 401,
        answer: { error: 'invalid_client' },
        failures: [],
      });
    }
  });

  test('in the audience of an ID token hint means an unknown client', async () => {
    const hint = new URLSearchParams({ id_token_hint: unsigned({ aud: 'a\0b' }) }).toString();
    expect(await navigate(`${endSession.url}?${hint}`)).toEqual(errorPage('invalid_client'));
  });
});

test('the same requests without a control character are accepted (control)', async () => {
  const asked = new URLSearchParams({ ...authorize.fixed, state: 'Zürich ✓' }).toString();
  expect((await navigate(`${authorize.url}?${asked}`)).pathname).toBe('/ui/account/login');
  const ended = new URLSearchParams(endSession.fixed).toString();
  expect((await navigate(`${endSession.url}?${ended}`)).pathname).toBe('/ui/account/logout');
  const redeemed = await sendForJson(post(token.url, new URLSearchParams(token.fixed).toString()));
  expect(redeemed.answer['error_description']).not.toContain('control');
});
