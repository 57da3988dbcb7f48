import { calls } from '@anteroom/contract';
import type { Call } from '@anteroom/contract';
import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { demoUsers } from '../demo/demo-data.ts';
import { portal, publicUrl } from '../../testing/application.ts';
import { makeBuiltFrontEnd } from '../../testing/built-front-end.ts';
import { secretary } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

const webDist = makeBuiltFrontEnd();
const application = useApplication({ settings: { WEB_DIST: webDist } });
afterAll(() => rmSync(webDist, { recursive: true }));

const allCalls: readonly Call[] = Object.values(calls);
const knownParameters = [
  'ReturnUrl',
  'site',
  'logoutId',
  'errorId',
  'usernameOrEmail',
  'requested_language',
  'client_id',
  'redirect_uri',
  'state',
  'scope',
  'prompt',
  'ui_locales',
  'login_hint',
  'id_token_hint',
  'post_logout_redirect_uri',
  'ticket',
  'culture',
  'refererClientId',
  't',
  'unknown',
];
const addresses = [
  ...new Set(
    allCalls.filter(({ method }) => method === 'GET').map(({ path }) => path.replace(/:\w+/g, 'harbor')),
  ),
  '/ui/account/login',
  '/ui/home/error',
  '/account/login',
  '/home/error',
  '/connect/authorize',
  '/connect/session/end',
  '/connect/signed-out-frame',
  '/connect/userinfo',
  '/.well-known/openid-configuration',
  '/health/ready',
  '/nowhere',
];

describe('no part of a URL becomes markup in a page [S09]', () => {
  const canary = 'zq\'"<>`{canary}';

  test.each(addresses)('%s', async (address) => {
    const browser = application().openBrowser();
    for (const name of knownParameters) {
      const answer = await browser.visit(`${address}?${new URLSearchParams({ [name]: canary }).toString()}`);
      expect(answer.text, name).not.toContain(canary);
      expect(answer.text, name).not.toMatch(/zq.?'?"?<>/);
      expect(answer.headers['location'] ?? '', name).not.toMatch(/[<>"'`]/);
    }
    const inPath = await browser.visit(`${address}/${encodeURIComponent(canary)}`);
    expect(inPath.text).not.toContain('<>');
  });
});

describe('SQL syntax in input is treated as text [S61]', () => {
  const hostile = [
    "'",
    "''; drop table users; --",
    '" or ""="',
    '\\',
    '%',
    '_____',
    ';--',
    '$1',
    '＇ or １=１',
    '\u2019 or 1=1',
    "harbor' union select password_hash from credentials --",
  ];
  const unexpected = () =>
    application().log.filter(({ level }) => Number(level) >= 50 || level === 'error' || level === 'fatal');

  test.each(hostile)('%s in every parameter of every call that reads', async (text) => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    for (const { method, path, query } of allCalls) {
      if (method !== 'GET') continue;
      const names = query !== undefined && 'entries' in query ? Object.keys(query.entries as object) : [];
      const answer = await browser.call(
        path.replace(/:\w+/g, encodeURIComponent(text)),
        Object.fromEntries(names.map((name) => [name, name === 'returnUrl' ? returnUrl : text])),
      );
      expect(answer.status, path).toBeLessThan(500);
    }
    expect(unexpected()).toEqual([]);
  });

  test.each(hostile)('%s as name, password, site, correlation id and cookie', async (text) => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    for (const changes of [{ userName: text }, { password: text }, { site: text }, { returnUrl: text }]) {
      const answer = await browser.post(
        '/api/ui/authenticate',
        { returnUrl, ...secretary, ...changes },
        { 'x-correlation-id': encodeURIComponent(text) },
      );
      expect(answer.status, JSON.stringify(changes)).toBeLessThan(500);
      expect(answer.json()['status']).not.toBe('redirect');
    }
    const cookie = encodeURIComponent(text);
    const { statusCode } = await application().app.inject({
      url: '/api/ui/refresh-context',
      headers: { host: new URL(publicUrl).host, cookie: `anteroom_session=${cookie}` },
    });
    expect(statusCode).toBeLessThan(500);
    expect(unexpected()).toEqual([]);
  });

  test('all tables still exist (control)', async () => {
    const { database } = application().services;
    expect(await database.selectFrom('users').select('id').execute()).toHaveLength(demoUsers.length);
  });
});
