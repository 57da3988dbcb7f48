import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { challengeOf, startScriptedProvider } from '../testing/scripted-provider.ts';
import type { ScriptedProvider } from '../testing/scripted-provider.ts';
import { buildDemo } from './app.ts';
import type { DemoConfig } from './config.ts';

let provider: ScriptedProvider;
let config: DemoConfig;
let portal: FastifyInstance;

beforeAll(async () => {
  provider = await startScriptedProvider('director');
  config = {
    port: 0,
    publicUrl: 'http://localhost:4401',
    issuer: provider.issuer,
    clientId: 'director',
    company: true,
  };
  portal = buildDemo(config);
});
afterAll(async () => {
  await portal.close();
  await provider.close();
});
beforeEach(() => {
  provider.claims = {};
  provider.userInfo = {};
});

/** A simulated browser that stores the portal's only cookie. */
function openBrowser(app: FastifyInstance = portal, cookie = '') {
  const browser = {
    cookie,
    visit: async (url: string) => {
      const answer = await app.inject({
        url,
        headers: browser.cookie === '' ? {} : { cookie: browser.cookie },
      });
      const [line] = [answer.headers['set-cookie'] ?? []].flat();
      if (line !== undefined) browser.cookie = line.split(';')[0] ?? '';
      return answer;
    },
  };
  return browser;
}

/** Starts a flow; returns the parameters sent to the provider. */
async function begin(browser: ReturnType<typeof openBrowser>, purpose = 'sign-in', query = '') {
  const answer = await browser.visit(`/go/${purpose}${query}`);
  expect(answer.statusCode).toBe(303);
  return new URL(String(answer.headers.location)).searchParams;
}

const returnFromProvider = (browser: ReturnType<typeof openBrowser>, answer: Record<string, string>) =>
  browser.visit(`/callback?${new URLSearchParams({ iss: provider.issuer, ...answer }).toString()}`);

describe('a sign-in from the portal', () => {
  test('uses the code flow with PKCE, state and nonce', async () => {
    const parameters = await begin(openBrowser());
    expect(Object.fromEntries(parameters)).toMatchObject({
      client_id: 'director',
      response_type: 'code',
      redirect_uri: 'http://localhost:4401/callback',
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(parameters.get(name)?.length, name).toBeGreaterThanOrEqual(43);
    expect(parameters.has('prompt')).toBe(false);
  });

  test('shows each claim as text', async () => {
    const browser = openBrowser();
    const parameters = await begin(browser);
    provider.claims = { nonce: parameters.get('nonce'), site: 'harbor', amr: ['pwd', 'sms'] };
    provider.userInfo = { given_name: '<script>alert(1)</script>' };
    const answer = await returnFromProvider(browser, { code: 'c', state: parameters.get('state') ?? '' });
    expect(answer.headers.location).toBe('/');
    expect(challengeOf(provider.redeemed.at(-1)?.get('code_verifier') ?? '')).toBe(
      parameters.get('code_challenge'),
    );

    const { body } = await browser.visit('/');
    expect(body).toContain('<dd data-claim="site">harbor</dd>');
    expect(body).toContain('<dd data-claim="amr">pwd sms</dd>');
    expect(body).not.toContain('<script>');
    expect(body).toContain('&lt;script&gt;');
    for (const action of ['switch-site', 'change-password', 'elevate', 'sign-out'])
      expect(body).toContain(`data-action="${action}"`);
  });

  test('has a distinct cookie name, and a new session id after the sign-in', async () => {
    const browser = openBrowser();
    const parameters = await begin(browser);
    const before = browser.cookie;
    expect(before).toMatch(/^boards_demo=[\w-]{43}$/);
    provider.claims = { nonce: parameters.get('nonce') };
    const answer = await returnFromProvider(browser, { code: 'c', state: parameters.get('state') ?? '' });
    expect(String(answer.headers['set-cookie'])).toMatch(/; HttpOnly; SameSite=Lax$/);
    expect(browser.cookie).not.toBe(before);
    expect((await openBrowser(portal, before).visit('/')).body).toContain('data-action="sign-in"');
  });

  test('two tabs return to their own flows', async () => {
    const browser = openBrowser();
    const [first, second] = [await begin(browser), await begin(browser, 'elevate')];
    for (const parameters of [second, first]) {
      provider.claims = { nonce: parameters.get('nonce') };
      const answer = await returnFromProvider(browser, { code: 'c', state: parameters.get('state') ?? '' });
      expect(answer.statusCode).toBe(303);
    }
  });

  test.each([
    ['switch-site', 'switch_site'],
    ['change-password', 'change_password'],
    ['elevate', 'elevate'],
  ])('%s sends prompt=%s', async (purpose, prompt) => {
    expect((await begin(openBrowser(), purpose)).get('prompt')).toBe(prompt);
  });

  test('a supported language is passed on', async () => {
    const parameters = await begin(openBrowser(), 'sign-in', '?language=ar');
    expect(parameters.get('requested_language')).toBe('ar');
    expect(parameters.get('ui_locales')).toBe('ar');
    expect((await begin(openBrowser(), 'sign-in', '?language=constructor')).has('ui_locales')).toBe(false);
  });
});

describe('an untrusted answer signs no one in', () => {
  const untrustedAnswers: [string, Record<string, string>, Record<string, unknown>][] = [
    ['another state', { state: 'other' }, {}],
    ['another issuer', { iss: 'https://evil.test' }, {}],
    ['another nonce', {}, { nonce: 'other' }],
    ['another audience', {}, { aud: 'other' }],
    ['another issuer in the token', {}, { iss: 'https://evil.test' }],
    ['a token that has expired', {}, { exp: 1 }],
    ['an error', { error: 'access_denied' }, {}],
  ];

  test.each(untrustedAnswers)('%s', async (_name, query, claims) => {
    const browser = openBrowser();
    const parameters = await begin(browser);
    provider.claims = { nonce: parameters.get('nonce'), ...claims };
    const answer = await returnFromProvider(browser, {
      code: 'c',
      state: parameters.get('state') ?? '',
      ...query,
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('data-action="sign-in"');
    expect((await browser.visit('/')).body).not.toContain('data-claim');
  });

  test('an answer is accepted once: a repeated or unknown state redirects a signed-in user home and changes nothing', async () => {
    const browser = openBrowser();
    const parameters = await begin(browser);
    provider.claims = { nonce: parameters.get('nonce'), site: 'harbor' };
    const answer = { code: 'c', state: parameters.get('state') ?? '' };
    expect((await returnFromProvider(browser, answer)).statusCode).toBe(303);
    const { cookie } = browser;
    const redeemed = provider.redeemed.length;
    for (const again of [answer, { ...answer, state: 'of a page long ago' }, { error: 'access_denied' }]) {
      const { statusCode, headers } = await returnFromProvider(browser, again);
      expect([statusCode, headers.location, browser.cookie]).toEqual([303, '/', cookie]);
    }
    expect(provider.redeemed).toHaveLength(redeemed);
    expect((await browser.visit('/')).body).toContain('<dd data-claim="site">harbor</dd>');
    expect((await returnFromProvider(openBrowser(), answer)).statusCode).toBe(400);
  });
});

describe('the start page', () => {
  test('reports a finished action once, and a cancelled action as unchanged', async () => {
    const browser = openBrowser();
    const parameters = await begin(browser, 'change-password');
    provider.claims = { nonce: parameters.get('nonce') };
    await returnFromProvider(browser, { code: 'c', state: parameters.get('state') ?? '' });
    const done = 'Your password has been changed.';
    expect((await browser.visit('/')).body).toContain(done);
    expect((await browser.visit('/')).body).not.toContain(done);
    for (const purpose of ['switch-site', 'change-password', 'elevate']) {
      await begin(browser, purpose);
      const { body } = await browser.visit('/cancelled');
      expect(body).toMatch(/role="status"><strong>Nothing has changed\.<\/strong>/);
      expect(body).not.toMatch(/data-done|You are signed in/);
    }
  });

  test('collapses the claims, but keeps them readable in the document', async () => {
    const browser = openBrowser();
    const parameters = await begin(browser);
    provider.claims = { nonce: parameters.get('nonce'), site: 'harbor' };
    await returnFromProvider(browser, { code: 'c', state: parameters.get('state') ?? '' });
    const { body } = await browser.visit('/');
    expect(body).toMatch(/<details class="card">[^]*<dd data-claim="site">harbor<\/dd>[^]*<\/details>/);
  });
});

describe('failures', () => {
  test('a restarted portal shows a friendly message', async () => {
    const browser = openBrowser();
    const parameters = await begin(browser);
    const restarted = buildDemo(config);
    const answer = await returnFromProvider(openBrowser(restarted, browser.cookie), {
      code: 'c',
      state: parameters.get('state') ?? '',
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('sign in again');
    await restarted.close();
  });

  test('an unreachable provider shows a message, and the next attempt works', async () => {
    const later = await startScriptedProvider('director');
    await later.close();
    const lonely = buildDemo({ ...config, issuer: later.issuer });
    const answer = await openBrowser(lonely).visit('/go/sign-in');
    expect(answer.statusCode).toBe(503);
    expect(answer.body).toContain('does not answer');
    await lonely.close();
  });
});

describe('signing out', () => {
  test('ends the portal’s session and continues at the provider with the ID token', async () => {
    const browser = openBrowser();
    const parameters = await begin(browser);
    provider.claims = { nonce: parameters.get('nonce') };
    await returnFromProvider(browser, { code: 'c', state: parameters.get('state') ?? '' });
    const before = browser.cookie;
    const answer = await browser.visit('/sign-out');
    const address = new URL(String(answer.headers.location));
    expect(address.href).toMatch(new RegExp(`^${provider.issuer}/end\\?`));
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe('http://localhost:4401/signed-out');
    expect(address.searchParams.get('id_token_hint')).not.toBeNull();
    expect((await openBrowser(portal, before).visit('/')).body).toContain('data-action="sign-in"');
    expect((await browser.visit('/signed-out')).body).toContain('You are signed out.');
  });
});

describe('front-channel logout', () => {
  const notifySignOut = (sid: string, iss = provider.issuer) =>
    portal.inject({ url: `/front-channel-sign-out?${new URLSearchParams({ iss, sid }).toString()}` });
  const signedInAs = async (sid: string) => {
    const browser = openBrowser();
    const parameters = await begin(browser);
    provider.claims = { nonce: parameters.get('nonce'), sid };
    await returnFromProvider(browser, { code: 'c', state: parameters.get('state') ?? '' });
    return browser;
  };

  test('ends only the session with that sid', async () => {
    const [one, other] = [await signedInAs('one'), await signedInAs('other')];
    expect((await notifySignOut('one')).statusCode).toBe(200);
    expect((await one.visit('/')).body).toContain('data-action="sign-in"');
    expect((await other.visit('/')).body).toContain('data-action="sign-out"');
  });

  test('from an unknown issuer ends no session', async () => {
    const browser = await signedInAs('one');
    await notifySignOut('one', 'https://evil.test');
    await portal.inject({ url: '/front-channel-sign-out' });
    expect((await browser.visit('/')).body).toContain('data-action="sign-out"');
  });

  test('can be framed only by the sign-in service', async () => {
    const { headers } = await notifySignOut('nobody');
    expect(headers['content-security-policy']).toBe(`default-src 'none'; frame-ancestors ${provider.issuer}`);
  });
});

describe('the footer links of the sign-in card', () => {
  test.each(['/support', '/privacy', '/privacy/de', '/privacy/pt-br', '/privacy/zh-hans', '/privacy/ar'])(
    '%s is a page with a heading and a back link',
    async (url) => {
      const { statusCode, body } = await openBrowser().visit(url);
      expect(statusCode).toBe(200);
      expect(body).toMatch(/<h1>(?:Support|Privacy policy)<\/h1>/);
      expect(body).toContain('href="/"');
    },
  );
});

describe('security headers', () => {
  test.each([
    '/',
    '/support',
    '/privacy',
    '/front-channel-sign-out',
    '/go/sign-in',
    '/callback',
    '/nowhere',
    '/portal.css',
    '/mark.svg',
  ])('%s has a strict content security policy', async (url) => {
    const { headers } = await openBrowser().visit(url);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });
});
