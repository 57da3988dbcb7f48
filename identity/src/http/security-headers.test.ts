import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import { makeBuiltFrontEnd } from '../../testing/built-front-end.ts';
import { authorizeAddress } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

// Attacks and faults, S16 and S17: every response has the same headers, whatever code writes it.

const webDist = makeBuiltFrontEnd();
const plain = useApplication({ settings: { WEB_DIST: webDist } });
const https = useApplication({
  settings: {
    WEB_DIST: webDist,
    PUBLIC_URL: 'https://us.id.example',
    REGIONS: 'eu=https://eu.id.example,us=https://us.id.example',
  },
});
afterAll(() => rmSync(webDist, { recursive: true }));

type Sent = {
  url: string;
  method?: 'GET' | 'POST' | 'PUT';
  headers?: Record<string, string>;
  payload?: string;
};
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const responses: [number, string, Sent][] = [
  [200, 'a page', { url: '/ui/account/login' }],
  [200, 'a hashed asset', { url: '/ui/assets/app/main-AbCd1234.js' }],
  [200, 'a locale file', { url: '/ui/assets/i18n/en-1.21.0.json' }],
  [200, 'config.json', { url: '/ui/config.json' }],
  [200, 'a call', { url: '/api/ui/sites/harbor' }],
  [200, 'health', { url: '/health/ready' }],
  [200, 'discovery', { url: '/.well-known/openid-configuration' }],
  [200, 'the provider’s keys', { url: '/connect/jwks' }],
  [302, 'a twin', { url: '/account/login' }],
  [303, 'the start of a sign-in', { url: authorizeAddress(portal).address }],
  [303, 'a refusal of the provider', { url: '/connect/authorize?client_id=nobody' }],
  [304, 'an unchanged file', { url: '/ui/assets/app/main-AbCd1234.js', headers: { 'if-none-match': '*' } }],
  [400, 'a call with a parameter too many', { url: '/api/ui/auth-context?x=1&site[__proto__]=1' }],
  [
    400,
    'the token endpoint',
    { url: '/connect/token', method: 'POST', headers: form, payload: 'grant_type=x' },
  ],
  [400, 'an address that cannot be decoded', { url: '/api/ui/sites/%' }],
  [401, 'a call that needs a session', { url: '/api/ui/sites' }],
  [401, 'userinfo without a token', { url: '/connect/userinfo', headers: { authorization: 'Bearer x' } }],
  [403, 'a forged call', { url: '/api/ui/authenticate', method: 'POST', headers: json, payload: '{}' }],
  [404, 'nothing', { url: '/nowhere' }],
  [404, 'the metadata of a site that signs in otherwise', { url: '/saml/metadata/harbor' }],
  [404, 'a missing asset', { url: '/ui/assets/app/main-OldOld12.js' }],
  [404, 'a route of the provider that is closed', { url: '/connect/device_authorization', method: 'POST' }],
  [405, 'the wrong method', { url: '/api/ui/authenticate' }],
  [415, 'a form', { url: '/api/ui/authenticate', method: 'POST', headers: form, payload: 'a=b' }],
  [421, 'another host', { url: '/health/live', headers: { host: 'evil.test' } }],
];

for (const [name, application, publicUrl] of [
  ['http', plain, 'http://localhost:4400'],
  ['https', https, 'https://us.id.example'],
] as const) {
  describe(`over ${name}`, () => {
    test.each(responses)(
      '%i, %s [S17]',
      async (status, _what, { url, method = 'GET', headers = {}, payload }) => {
        const answer = await application().app.inject({
          method,
          url: url.replaceAll('http%3A%2F%2Flocalhost%3A4400', encodeURIComponent(publicUrl)),
          headers: { host: new URL(publicUrl).host, ...headers },
          ...(payload !== undefined && { payload }),
        });
        // Instead of 304, a file may be sent in full, because the request has no `if-none-match`.
        expect(answer.statusCode === status || (status === 304 && answer.statusCode === 200)).toBe(true);
        expect(answer.headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'same-origin',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
          'x-correlation-id': expect.stringMatching(/^[\w.-]{1,64}$/),
        });
        expect(answer.headers['strict-transport-security']).toBe(
          name === 'https' ? 'max-age=63072000; includeSubDomains' : undefined,
        );
        expect(answer.headers['cache-control']).toBe(
          url.includes('AbCd1234') ? 'public, max-age=31536000, immutable' : 'no-store',
        );
        expect(answer.headers['server'] ?? answer.headers['x-powered-by']).toBeUndefined();
        if (answer.body !== '') {
          expect(answer.headers['content-type']).toMatch(/; charset=utf-8$|^image\/svg\+xml$/i);
        }
        requireStrictPolicy(String(answer.headers['content-security-policy']));
        if (status >= 400 && !url.startsWith('/connect/token') && !url.startsWith('/connect/userinfo')) {
          expect(Object.keys(answer.json<Record<string, unknown>>())).toEqual(['code']);
        }
        expect(answer.body).not.toMatch(/FST_|node_modules|at \w+ \(/);
      },
    );
  });
}

function requireStrictPolicy(policy: string): void {
  const directives = new Map(
    policy.split('; ').map((directive): [string, string] => {
      const [name = '', ...values] = directive.split(' ');
      return [name, values.join(' ')];
    }),
  );
  expect(Object.fromEntries(directives)).toMatchObject({
    'default-src': "'none'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'dompurify',
  });
  expect(policy).not.toMatch(/unsafe|\*|data:|blob:|http:/);
}

test('regions are allowed for calls, forms and frames only', async () => {
  const answer = await https().app.inject({ url: '/ui/', headers: { host: 'us.id.example' } });
  const policy = String(answer.headers['content-security-policy']);
  const naming = policy.split('; ').filter((directive) => directive.includes('https://eu.id.example'));
  expect(naming.map((directive) => directive.split(' ')[0])).toEqual([
    'connect-src',
    'frame-src',
    'form-action',
  ]);
});

test('no response to an unlisted origin makes private data readable [S55]', async () => {
  for (const origin of ['https://evil.test', 'null', 'http://sub.localhost:4400', 'http://localhost:44001']) {
    for (const url of [
      '/api/ui/auth-context',
      '/api/ui/sites',
      '/ui/config.json',
      '/connect/authorize',
      '/health/ready',
    ]) {
      for (const method of ['GET', 'OPTIONS'] as const) {
        const answer = await plain().app.inject({
          method,
          url,
          headers: { host: 'localhost:4400', origin, 'access-control-request-method': 'GET' },
        });
        expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      }
    }
  }
});
