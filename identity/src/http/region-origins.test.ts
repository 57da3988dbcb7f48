import { calls } from '@anteroom/contract';
import { accountCalls } from '@anteroom/contract/account';
import { preferenceCalls } from '@anteroom/contract/preferences';
import { rememberedAccountCalls } from '@anteroom/contract/remembered-accounts';
import { recoveryCalls } from '@anteroom/contract/recovery';
import { describe, expect, test } from 'vitest';
import { useApplication } from '../../testing/use-application.ts';

const own = 'https://us.id.example';
const listed = 'https://eu.id.example';
const application = useApplication({
  settings: { PUBLIC_URL: own, REGIONS: `eu=${listed},us=${own}` },
});

const strangers = [
  'https://evil.test',
  'null',
  'https://sub.eu.id.example',
  'https://eu.id.example.evil.test',
  'https://evileu.id.example',
  'http://eu.id.example',
  'https://eu.id.example:8443',
  'https://EU.id.example',
  'http://localhost:4401',
];
const everyCall = Object.entries({
  ...calls,
  ...recoveryCalls,
  ...preferenceCalls,
  ...rememberedAccountCalls,
  ...accountCalls,
}).filter(([, { path }]) => path.startsWith('/api/'));
const pages = [
  '/ui/config.json',
  '/saml/metadata/corp',

  '/.well-known/openid-configuration',
  '/connect/jwks',
  '/connect/userinfo',
  '/regions/keys',
  '/ui/',
];

const ask = (
  method: 'GET' | 'POST' | 'OPTIONS',
  url: string,
  headers: Record<string, string>,
  payload?: string,
) =>
  application().app.inject({
    method,
    url,
    headers: { host: new URL(own).host, ...headers },
    ...(payload !== undefined && { payload }),
  });
const custom = { 'x-correlation-id': 'a.1', 'conforming-errors': 'true', correlationid: 'a' };
const json = { 'content-type': 'application/json' };

describe('cross-origin calls [S55]', () => {
  test.each(everyCall)(
    '%s: allowed with credentials for listed regions only',
    async (_name, { method, path }) => {
      const url = path.replace(/:\w+/g, 'x');
      const body = method === 'POST' ? '{}' : undefined;
      for (const origin of strangers) {
        const preflight = { origin, 'access-control-request-method': method };
        for (const answer of [
          await ask('OPTIONS', url, preflight),
          await ask(method, url, { origin, ...json, ...custom }, body),
          await ask(method, url, { origin, cookie: '__Host-anteroom_session=x', ...json, ...custom }, body),
        ]) {
          expect(
            answer.headers['access-control-allow-origin'],
            `${origin} ${answer.statusCode}`,
          ).toBeUndefined();
          expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
          expect(answer.headers['vary']).toContain('Origin');
          expect(answer.statusCode).toBeGreaterThanOrEqual(method === 'POST' ? 400 : 200);
        }
      }
      const preflight = await ask('OPTIONS', url, {
        origin: listed,
        'access-control-request-method': method,
      });
      expect(preflight.statusCode).toBe(204);
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': listed,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET, POST',
        vary: expect.stringContaining('Origin'),
      });
      const allowed = String(preflight.headers['access-control-allow-headers']).split(', ');
      expect(allowed).toEqual([
        'content-type',
        'x-correlation-id',
        'correlationid',
        'conforming-errors',
        'x-anteroom-extensions',
      ]);
      const answer = await ask(method, url, { origin: listed, ...json, ...custom }, body);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': listed,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': expect.stringContaining('Retry-After, Date'),
      });
      expect(answer.body).not.toContain('csrf_failed');
    },
  );

  test.each(pages)('%s is never readable with credentials, not even for listed regions', async (url) => {
    for (const origin of [...strangers, listed]) {
      const { headers } = await ask('GET', url, { origin });
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      expect([undefined, '*']).toContain(headers['access-control-allow-origin']);
    }
  });
});

describe('a call of another region without an anti-forgery value [S12]', () => {
  const url = '/api/ui/auth/sign-out';
  const whole = { origin: listed, 'sec-fetch-site': 'same-site', ...json, ...custom };

  test('needs an exact origin, JSON, and the headers that force a preflight request (control)', async () => {
    expect((await ask('POST', url, whole, '{}')).statusCode).toBe(204);
  });

  test.each([
    ['no correlation id', { 'x-correlation-id': undefined }, 403],
    ['no Conforming-Errors', { 'conforming-errors': undefined }, 403],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['with no initiator', { 'sec-fetch-site': 'none' }, 403],
    ['as a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['as plain text', { 'content-type': 'text/plain' }, 415],
    ['from another origin', { origin: 'https://evil.id.example' }, 403],
    ['without an origin', { origin: undefined }, 403],
  ])('is rejected: %s', async (_name, changes, status) => {
    const headers = Object.fromEntries(
      Object.entries({ ...whole, ...changes }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    );
    expect((await ask('POST', url, headers, '{}')).statusCode).toBe(status);
  });
});
