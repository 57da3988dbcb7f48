import { describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { signIn } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { createBrowserCookies } from './browser-cookies.ts';
import { cookieValues } from './cookies.ts';

// Attacks and faults, S19, S20 and S22.

const application = useApplication();
const sessionName = '__Host-anteroom_session';

describe('what a browser is given', () => {
  test('__Host- and Secure on https, and on http at the machine itself; plain names where a browser would refuse them', () => {
    expect(createBrowserCookies('https://id.example')).toMatchObject({ sessionName, secure: true });
    expect(createBrowserCookies('http://localhost:4400')).toMatchObject({ sessionName, secure: true });
    expect(createBrowserCookies('http://192.168.0.7:4400')).toMatchObject({
      sessionName: 'anteroom_session',
      secure: false,
    });
  });

  test('every cookie of a whole sign-in is Secure, for the whole host and no other, SameSite, small and opaque', async () => {
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

  test('the session id changes with the sign-in, and the one from before is dead', async () => {
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

  test('an invented session id is not taken over', async () => {
    const invented = 'A'.repeat(43);
    const browser = application().openBrowser();
    browser.cookies.set(sessionName, { value: invented, path: '/' });
    await beginSignIn(browser, portal);
    expect(browser.cookies.get(sessionName)?.value).not.toBe(invented);
  });
});

describe('what a browser sends', () => {
  const ask = (cookie: string) =>
    application().app.inject({
      url: '/api/ui/auth/retry',
      headers: { host: new URL(publicUrl).host, cookie },
    });

  test.each([
    [
      '60 strange cookies',
      Array.from({ length: 60 }, (_, index) => `junk${index}=${'x'.repeat(50)}`).join('; '),
    ],
    ['malformed ones', ';;=;a;=b; c==;__Host-anteroom_session;%%%=\\"'],
    ['an empty session', `${sessionName}=`],
    ['one that is far too long', `${sessionName}=${'x'.repeat(8000)}`],
    ['two of the same name', `${sessionName}=${'a'.repeat(43)}; ${sessionName}=${'b'.repeat(43)}`],
    ['a NUL and quotes', `${sessionName}="%00'"`],
  ])('%s do no harm', async (_what, cookie) => {
    const answer = await ask(cookie);
    expect(answer.statusCode).toBe(200);
  });

  test('names are compared whole, values are not decoded, and one that came twice is known to have', () => {
    const header = 'a=1; aa=2; a=3; b=x=y; c';
    expect(cookieValues(header, 'a')).toEqual(['1', '3']);
    expect(cookieValues(header, 'b')).toEqual(['x=y']);
    expect(cookieValues(header, 'c')).toEqual([]);
    expect(cookieValues(undefined, 'a')).toEqual([]);
  });
});
