import { rmSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { fastify } from 'fastify';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { makeBuiltFrontEnd } from '../../testing/built-front-end.ts';
import { signIn } from '../../testing/journeys.ts';
import { authorizeAddress } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { createPageAnswers } from './page-answers.ts';

const webDist = makeBuiltFrontEnd();
const application = useApplication({ settings: { WEB_DIST: webDist }, fixed: { pageAnswersMs: 10_000 } });
afterAll(() => rmSync(webDist, { recursive: true }));

/** The URL of the page that an authorization request redirects to. */
async function findPage(browser: Browser, changes: Record<string, string> = {}): Promise<string> {
  const asked = await browser.visit(authorizeAddress(portal, changes).address);
  return asked.headers['location'] ?? '';
}

const contextAddressOf = (page: string, more: Record<string, string> = {}): string => {
  const returnUrl = new URL(page, publicUrl).searchParams.get('ReturnUrl') ?? '';
  return `/api/ui/auth-context?${new URLSearchParams({ returnUrl, ...more }).toString()}`;
};

/** The embedded responses of a page, by URL. */
function answersIn(text: string): Record<string, object> | undefined {
  const json = /data-answers>(.*?)<\/script>/s.exec(text)?.[1];
  return json === undefined ? undefined : (JSON.parse(json) as Record<string, object>);
}

const countSessions = async (): Promise<number> =>
  (await application().services.database.selectFrom('sessions').select('id_hash').execute()).length;

test('a page embeds the responses to its own calls before the script that reads them', async () => {
  const browser = application().openBrowser();
  const address = await findPage(browser);
  const page = await browser.visit(address);
  expect(page.text.indexOf('data-answers')).toBeLessThan(page.text.indexOf('window.early'));
  expect(page.headers['cache-control']).toBe('no-store');
  expect(browser.cookies.has('XSRF-TOKEN')).toBe(true);
  const answers = answersIn(page.text) ?? {};
  const contextAddress = contextAddressOf(address);
  expect(Object.keys(answers)).toEqual([
    'date',
    contextAddress,
    '/ui/assets/i18n/en-1.21.0.json',
    '/ui/config.json',
  ]);
  expect(answers[contextAddress]).toEqual((await browser.call(contextAddress)).json());
});

test('the settings of a known site are included', async () => {
  const browser = application().openBrowser();
  browser.cookies.set('anteroom_site', { value: 'harbor', path: '/' });
  const answers = answersIn((await browser.visit(await findPage(browser))).text) ?? {};
  const address = Object.keys(answers).find((one) => one.startsWith('/api/ui/auth/settings/site?'));
  expect(address).toContain('site=harbor');
  expect(answers[address ?? '']).toEqual((await browser.call(address ?? '')).json());
});

test.each([
  ['ar', '<noscript lang="ar" dir="auto">فعّل JavaScript</noscript>'],
  ['de', '<noscript>Switch on JavaScript.</noscript>'],
])('the text for visitors without JavaScript is in %s if the build has it', async (locale, element) => {
  const browser = application().openBrowser();
  browser.cookies.set('anteroom_locale', { value: locale, path: '/' });
  expect((await browser.visit(await findPage(browser))).text).toContain(element);
});

describe('the account page', () => {
  test('has the account, its activity, and the texts of the page embedded for a signed-in user', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    const { text } = await browser.visit('/ui/account?refererClientId=portal');
    const answers = answersIn(text) ?? {};
    const accountAddress = '/api/ui/account?refererClientId=portal';
    expect(Object.keys(answers)).toEqual([
      'date',
      accountAddress,
      '/ui/assets/i18n/en-1.21.0.json',
      '/ui/config.json',
      '/api/ui/account/activity',
    ]);
    expect(answers[accountAddress]).toMatchObject({ sessions: [{ isPresent: true }] });
    expect(text).toContain('window.early=1');
  });

  test('has no embedded responses for a visitor who is not signed in', async () => {
    const browser = application().openBrowser();
    expect(answersIn((await browser.visit('/ui/account')).text)).toBeUndefined();
  });
});

test('the page on which a signed-in user chooses a site has the list and its texts embedded', async () => {
  const browser = application().openBrowser();
  await signIn(browser);
  const page = await findPage(browser, { prompt: 'switch_site' });
  const answers = answersIn((await browser.visit(page)).text) ?? {};
  const address = Object.keys(answers).find((one) => one.startsWith('/api/ui/sites?')) ?? '';
  expect(answers[address]).toEqual((await browser.call(address)).json());
  expect(Object.keys(answers)).toContain('/ui/assets/i18n/selectSite/en-1.21.0.json');
});

test.each([
  ['account/passkey?ReturnUrl=', '/api/ui/auth-context?returnUrl=', ['passkey']],
  [
    'recovery/forgotten-site?refererClientId=portal&x=',
    '/api/ui/recovery/context?',
    ['recovery', 'passwordChange'],
  ],
])('the page %s has its first response and its texts embedded', async (route, first, groups) => {
  const browser = application().openBrowser();
  const returnUrl = new URL(await findPage(browser), publicUrl).searchParams.get('ReturnUrl') ?? '';
  const { text } = await browser.visit(`/ui/${route}${encodeURIComponent(returnUrl)}&culture=de`);
  const answers = answersIn(text) ?? {};
  const address = Object.keys(answers).find((one) => one.startsWith(first)) ?? '';
  expect(answers[address]).toEqual((await browser.call(address)).json());
  expect(Object.keys(answers)).toEqual([
    'date',
    address,
    ...['', ...groups.map((group) => `${group}/`)].map((folder) => `/ui/assets/i18n/${folder}de-1.21.0.json`),
    '/ui/config.json',
  ]);
});

test('a response text cannot close the element that contains it', async () => {
  const { database } = application().services;
  const rename = (displayName: string) =>
    database.updateTable('sites').set({ display_name: displayName }).where('name', '=', 'harbor').execute();
  await rename('</script><script>alert(1)</script>');
  const browser = application().openBrowser();
  browser.cookies.set('anteroom_site', { value: 'harbor', path: '/' });
  const { text } = await browser.visit(await findPage(browser));
  expect(text).not.toContain('<script>alert');
  expect(JSON.stringify(answersIn(text))).toContain('</script><script>alert(1)</script>');
  await rename('Harbor Trust');
});

test.each([
  ['a prefetch', { 'sec-purpose': 'prefetch' }],
  ['a crawler', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }],
])('%s gets the page without responses and without a session', async (_name, headers) => {
  const browser = application().openBrowser();
  const address = await findPage(browser);
  const before = await countSessions();
  const page = await browser.visit(address, headers);
  expect(answersIn(page.text)).toBeUndefined();
  expect(page.cookies).toEqual([]);
  expect(await countSessions()).toBe(before);
});

test('a page whose sign-in is unknown in this browser has no embedded responses', async () => {
  const browser = application().openBrowser();
  await signIn(browser);
  const address = await findPage(browser, { prompt: 'switch_site' });
  expect(answersIn((await browser.visit(address)).text)?.[contextAddressOf(address)]).toMatchObject({
    session: { state: 'valid' },
  });
  const page = await application().openBrowser().visit(address);
  expect(answersIn(page.text)).toBeUndefined();
  expect(page.text).toContain('window.early');
});

test('the page is compressed as the browser accepts', async () => {
  const browser = application().openBrowser();
  const address = await findPage(browser);
  const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
  const response = await application().app.inject({
    url: address,
    headers: { host: new URL(publicUrl).host, cookie, 'accept-encoding': 'gzip, br' },
  });
  expect(response.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
  expect(brotliDecompressSync(response.rawPayload).toString()).toContain('data-answers');
});

test('a page without the splash has the rendered form, in the language of its texts', async () => {
  const browser = application().openBrowser();
  const address = await findPage(browser);
  const german = { 'accept-language': 'de-AT' };
  expect(address).toContain('skip_splash=true');
  const { text } = await browser.visit(address, german);
  expect(text).toContain('<html lang="de">');
  expect(text.indexOf('data-answers')).toBeLessThan(text.indexOf('window.early=2'));
  // There is no rendered form in French.
  const french = await browser.visit(address, { 'accept-language': 'fr' });
  expect(french.text).toContain('window.early=1');
  const withSplash = await browser.visit(address.replace('skip_splash=true', ''), german);
  expect(withSplash.text).toContain('window.early=1');
});

test('a page without the splash has the form that the embedded responses require, and no form if the first screen has none', async () => {
  const browser = application().openBrowser();
  const { text: unnamed } = await browser.visit(await findPage(browser));
  expect(unnamed).toContain('data-shell="site-entry"');
  browser.cookies.set('anteroom_site', { value: 'harbor', path: '/' });
  const { text: named } = await browser.visit(await findPage(browser));
  expect(named).toContain('data-shell="credentials"');
  await signIn(browser);
  const { text: chosen } = await browser.visit(await findPage(browser, { prompt: 'switch_site' }));
  expect(chosen).toContain('data-answers');
  expect(chosen).not.toContain('data-shell');
});

describe('when the responses are late', () => {
  /** A service whose context responds when the test lets it. */
  async function openSlowService() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const app = fastify();
    const waiting: (() => void)[] = [];
    app.get('/api/ui/auth-context', async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { session: { state: 'none' }, allowUserNameEntry: true };
    });
    const findAnswers = createPageAnswers(app, webDist, { publicUrl, pageAnswersMs: 100 });
    app.get('/page', async (request, reply) => (await findAnswers(request, reply, 'sign-in')) ?? 'as built');
    onTestFinished(async () => {
      for (const resolve of waiting) resolve();
      vi.useRealTimers();
      await app.close();
    });
    return {
      request: async (query: string, cookie = '') =>
        (await app.inject({ url: `/page?${query}`, headers: { cookie } })).body,
      untilAsked: (times: number) => vi.waitFor(() => expect(waiting).toHaveLength(times)),
      respond: () => waiting.at(-1)?.(),
    };
  }

  test('the page has the form without them, and the next page waits again', async () => {
    const { request, untilAsked, respond } = await openSlowService();
    const late = request('skip_splash');
    await untilAsked(1);
    await vi.advanceTimersByTimeAsync(100);
    const withoutAnswers = await late;
    expect(withoutAnswers).toContain('data-shell="site-entry"');
    expect(answersIn(withoutAnswers)).toBeUndefined();
    const inTime = request('skip_splash');
    await untilAsked(2);
    respond();
    expect(answersIn(await inTime)).toHaveProperty('/api/ui/auth-context');
  });

  test.each([
    ['skip_splash', '', 'data-shell="site-entry"'],
    ['skip_splash', 'anteroom_site=harbor', 'data-shell="credentials"'],
    ['', '', '</head><body><script>'],
  ])('the page for ?%s with the cookie "%s" has %s', async (query, cookie, expected) => {
    const { request, untilAsked } = await openSlowService();
    const late = request(query, cookie);
    await untilAsked(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(await late).toContain(expected);
  });
});
