import { describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { signIn } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { createBrowserCookies, cookieValues } from './cookies.ts';

// Tests attacks S19, S20 and S22 (attacks and faults).

const application = useApplication();
const sessionName = '__Host-anteroom_session';

describe('the cookies that a browser gets', () => {
  test('use __Host- and Secure on https and on http at localhost, and plain names where browsers would reject these', () => {
    expect(createBrowserCookies('https://id.example')).toMatchObject({ sessionName, secure: true });
    expect(createBrowserCookies('http://localhost:4400')).toMatchObject({ sessionName, secure: true });
    expect(createBrowserCookies('http://192.168.0.7:4400')).toMatchObject({
      sessionName: 'anteroom_session',
      secure: false,
    });
  });

  test('are all Secure, host-only, SameSite, small and opaque during a complete sign-in', async () => {
    const browser = application().openBrowser();
    const lines: string[] = [];
    const { returnUrl } = await beginSignIn(browser, portal);
    lines.push(...(await browser.call('/api/ui/auth-context', { returnUrl })).cookies);
    const fresh = application().openBrowser();
    lines.push(...(await fresh.visit('/connect/authorize?client_id=nobody')).cookies);
    await signIn(fresh);
    lines.push(...(await fresh.post('/api/ui/auth/sign-out', {})).cookies);
    for (const [name, { value }] of [...browser.cookies, ...fresh.cookies]) {
      expect(`${name}=${value}`.length).toBeLessThan(4096);
      expect(value).toMatch(/^[A-Za-z0-9._-]*$/);
    }
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line).toContain('; Secure');
      expect(line).toContain('; Path=/');
      expect(line).not.toContain('Domain');
      expect(line).toMatch(/SameSite=(Lax|Strict)/i);
      if (!line.startsWith('XSRF-TOKEN=')) expect(line).toMatch(/^__Host-.*HttpOnly/i);
    }
  });

  test('a sign-in changes the session id and invalidates the previous id', async () => {
    const browser = application().openBrowser();
    await beginSignIn(browser, portal);
    const before = browser.cookies.get(sessionName)?.value ?? '';
    await signIn(browser);
    const after = browser.cookies.get(sessionName)?.value ?? '';
    expect(after).not.toBe(before);
    const { sessions } = application().services;
    expect(await sessions.find(before, { extend: false })).toEqual({ state: 'none', session: undefined });
    expect(await sessions.find(after, { extend: false })).toMatchObject({ state: 'valid' });
  });

  test('an invented session id is not adopted', async () => {
    const invented = 'A'.repeat(43);
    const browser = application().openBrowser();
    browser.cookies.set(sessionName, { value: invented, path: '/' });
    await beginSignIn(browser, portal);
    expect(browser.cookies.get(sessionName)?.value).not.toBe(invented);
  });
});

describe('the cookies that a browser sends', () => {
  const ask = (cookie: string) =>
    application().app.inject({
      url: '/api/ui/auth/retry',
      headers: { host: new URL(publicUrl).host, cookie },
    });

  test.each([
    [
      '60 unknown cookies',
      Array.from({ length: 60 }, (_, index) => `junk${index}=${'x'.repeat(50)}`).join('; '),
    ],
    ['malformed cookies', ';;=;a;=b; c==;__Host-anteroom_session;%%%=\\"'],
    ['an empty session', `${sessionName}=`],
    ['an oversized session cookie', `${sessionName}=${'x'.repeat(8000)}`],
    ['two session cookies', `${sessionName}=${'a'.repeat(43)}; ${sessionName}=${'b'.repeat(43)}`],
    ['a NUL and quotes', `${sessionName}="%00'"`],
  ])('%s cause no failure', async (_what, cookie) => {
    const answer = await ask(cookie);
    expect(answer.statusCode).toBe(200);
  });

  test('names are compared exactly, values are not decoded, and a repeated name is detected', () => {
    const header = 'a=1; aa=2; a=3; b=x=y; c';
    expect(cookieValues(header, 'a')).toEqual(['1', '3']);
    expect(cookieValues(header, 'b')).toEqual(['x=y']);
    expect(cookieValues(header, 'c')).toEqual([]);
    expect(cookieValues(undefined, 'a')).toEqual([]);
  });
});
