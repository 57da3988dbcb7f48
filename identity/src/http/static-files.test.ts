import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { pageRoutes } from '@anteroom/contract/page-routes';
import { afterAll, describe, expect, test } from 'vitest';
import { publicUrl } from '../../testing/application.ts';
import { makeBuiltFrontEnd } from '../../testing/built-front-end.ts';
import { useApplication } from '../../testing/use-application.ts';

const webDist = makeBuiltFrontEnd();
const application = useApplication({ settings: { WEB_DIST: webDist } });
afterAll(() => rmSync(webDist, { recursive: true }));

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  application().app.inject({ method, url, headers: { host: new URL(publicUrl).host, ...headers } });

describe('the built front end', () => {
  test.each([
    ...pageRoutes.map((route) => `/ui/${route}`),
    '/ui/account/login/',
    '/ui/account/login?ReturnUrl=%2Fconnect',
  ])('%s is the page and is not cached [I31]', async (url) => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(answer.body).toContain('<!doctype html>');
    // The answer in a recovery page begins a visit, as the call would.
    expect(answer.cookies.length > 0).toBe(url.startsWith('/ui/recovery/'));
  });

  test('hashed assets are cached for ever [F17]', async () => {
    const answer = await get('/ui/assets/app/main-AbCd1234.js');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers['content-type']).toMatch(/\/javascript; charset=utf-8$/);
  });

  test.each(['/ui/assets/i18n/en-1.21.0.json', '/ui/assets/icons/logo.svg?v=1'])(
    '%s has no hash in its name and is not cached',
    async (url) => {
      const answer = await get(url);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );

  test('prefers brotli, then gzip, then no compression, and sets Vary', async () => {
    const url = '/ui/assets/app/main-AbCd1234.js';
    const [br, gzip, plain] = await Promise.all([
      get(url, { 'accept-encoding': 'gzip, deflate, br, zstd' }),
      get(url, { 'accept-encoding': 'gzip' }),
      get(url),
    ]);
    expect(br.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(gzip.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body);
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
  });

  test.each([
    '/ui/assets/app/main-OldOld12.js',
    '/ui/assets/i18n/xx-1.21.0.json',
    '/ui/assets/i18n/',
    '/ui/assets/nothing',
    '/ui/favicon.png',
    '/ui/.vite/manifest.json',
    '/ui/index.html.map',
    '/ui/../package.json',
    '/ui/%2e%2e/package.json',
    '/ui/assets/..%2f..%2f..%2fetc/passwd',
    '/ui/%00',
    '/ui/%',
  ])('%s is a contract error, never the page', async (url) => {
    const answer = await get(url);
    expect([400, 403, 404]).toContain(answer.statusCode);
    expect(answer.json()).toEqual({ code: expect.stringMatching(/^(not_found|validation_failed)$/) });
  });

  const missing = [
    '/ui/no/such/page',
    '/ui/account/nothing',
    '/ui/account.login',
    '/ui/favicon.png',
    '/ui/.vite/manifest.json',
    '/ui/index.html.map',
    '/ui/assets.html',
    '/ui/%2e%2e/package.json',
    '/nowhere',
    '/account//evil.test',
  ];
  const navigations: [string, Record<string, string>][] = [
    ['by Sec-Fetch-Mode', { 'sec-fetch-mode': 'navigate', accept: '*/*' }],
    [
      'by Accept, in a browser without Fetch Metadata',
      { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    ],
  ];

  test.each(missing.flatMap((url) => navigations.map((navigation) => [url, ...navigation] as const)))(
    '%s, a navigation (%s), is the page with status 404 [2.17]',
    async (url, _how, headers) => {
      const answer = await get(url, headers);
      expect(answer.statusCode).toBe(404);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
      });
      expect(answer.body).toContain('<!doctype html>');
      expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    },
  );

  test.each([...missing, '/ui/assets/nothing', '/api/ui/nothing'])(
    '%s, requested by a script, is a contract error',
    async (url) => {
      const answer = await get(url, { 'sec-fetch-mode': 'cors', accept: 'text/html' });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toEqual({ code: 'not_found' });
    },
  );

  test.each(['/ui/assets/app/main-OldOld12.js', '/ui/assets/', '/ui/assets/no/such/page', '/api/ui/nothing'])(
    '%s is a contract error even for a navigation',
    async (url) => {
      const answer = await get(url, { 'sec-fetch-mode': 'navigate', accept: 'text/html' });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toEqual({ code: 'not_found' });
    },
  );

  test('HEAD of a navigation to an unknown URL has the status and headers of GET', async () => {
    const answer = await get('/ui/no/such/page', { accept: 'text/html' }, 'HEAD');
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toBe('');
  });

  test('the page is returned only for GET and HEAD', async () => {
    const answer = await get('/ui/account/login', {}, 'POST');
    expect([404, 405]).toContain(answer.statusCode);
  });

  test('HEAD has the status and headers of GET', async () => {
    const answer = await get('/ui/account/login', {}, 'HEAD');
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe('');
  });

  test('the CSP lists the hashes of the pages’ inline styles and scripts, and nothing unsafe', async () => {
    const policy = String((await get('/ui/')).headers['content-security-policy']);
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(policy).toContain(`style-src 'self' ${hash('body{margin:0}')} ${hash('main{margin:0}')};`);
    expect(policy).toContain(`script-src 'self' ${hash('window.early=1')} ${hash('window.early=2')};`);
    expect(policy).not.toMatch(/unsafe|\*|data:|http:/);
  });
});

describe('front-end URLs without /ui', () => {
  test.each([
    ['/', '/ui/'],
    ['/?ReturnUrl=%2Fconnect%2Fauthorize%3Fa%3Db%26c', '/ui/?ReturnUrl=%2Fconnect%2Fauthorize%3Fa%3Db%26c'],
    ['/account/login?ReturnUrl=%2Fx&skip_splash', '/ui/account/login?ReturnUrl=%2Fx&skip_splash'],
    ['/home/error?errorId=1', '/ui/home/error?errorId=1'],
    ['/ui?a=1', '/ui/?a=1'],
  ])('%s redirects to %s [2.1]', async (url, location) => {
    const answer = await get(url);
    expect({ status: answer.statusCode, location: answer.headers.location }).toEqual({
      status: 302,
      location,
    });
  });

  test.each([
    '/account//evil.test',
    '/account/%2e%2e/%2e%2e//evil.test',
    '/account/..%5cevil.test',
    '/account/\\evil.test',
    '//evil.test/account/login',
    '/accounts/login',
    '/nowhere',
  ])('%s is not redirected', async (url) => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({ code: 'not_found' });
  });
});

test('config.json contains the settings of the installation, and sample destinations in tests [I31]', async () => {
  const answer = await get('/ui/config.json?t=1700000000000');
  expect(answer.json()).toEqual({
    globalSupportUrl: 'http://localhost:4401/support',
    privacyPolicyBaseUrl: 'http://localhost:4401/privacy',
    homeUri: 'http://localhost:4401/',
    sampleDestination: true,
  });
  expect(answer.headers['cache-control']).toBe('no-store');
});
