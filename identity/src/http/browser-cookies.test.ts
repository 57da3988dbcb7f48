import { describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { signIn } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { createBrowserCookies, createLastingCookie, cookieValues } from './cookies.ts';

// Tests attacks S19, S20 and S22 (attacks and faults).

const application = useApplication();
const secured = useApplication({ settings: { PUBLIC_URL: 'https://id.example' } });
const sessionName = 'anteroom_session';

describe('the cookies that a browser gets', () => {
  test.each([
    ['https://id.example', '__Host-'],
    ['https://localhost:4400', '__Host-'],
    ['http://localhost:4400', ''],
    ['http://127.0.0.1:4400', ''],
    ['http://eu.anteroom.localhost', ''],
    ['http://192.168.0.7:4400', ''],
  ])('at %s have the prefix "%s", and Secure only on https', (url, prefix) => {
    const secure = prefix !== '';
    const cookies = createBrowserCookies(url);
    expect(cookies).toMatchObject({
      sessionName: `${prefix}anteroom_session`,
      providerName: `${prefix}anteroom_provider`,
      antiForgeryName: 'XSRF-TOKEN',
      secure,
    });
    const lines: unknown[] = [
      cookies.session('x'),
      cookies.antiForgery('x'),
      ...Object.values(cookies.forgotten()),
    ];
    const exchange = { setHeader: (_name: string, value: unknown) => void lines.push(value) };
    createLastingCookie(url, 'anteroom_known', 1).write(exchange, 'x');
    expect(lines.filter((line) => /; Secure(;|$)/.test(String(line)))).toHaveLength(secure ? 5 : 0);
    expect(String(lines.at(-1))).toMatch(new RegExp(`^${prefix}anteroom_known=`));
  });

  test('are host-only, SameSite, small and opaque during a complete sign-in, and Secure if it is on https [S19]', async () => {
    for (const [running, secure] of [
      [application(), false],
      [secured(), true],
    ] as const) {
      const browser = running.openBrowser();
      const lines: string[] = [];
      const { returnUrl } = await beginSignIn(browser, portal);
      lines.push(...(await browser.call('/api/ui/auth-context', { returnUrl })).cookies);
      const fresh = running.openBrowser();
      lines.push(...(await fresh.visit('/connect/authorize?client_id=nobody')).cookies);
      await signIn(fresh);
      lines.push(...(await fresh.post('/api/ui/auth/sign-out', {})).cookies);
      for (const [name, { value }] of [...browser.cookies, ...fresh.cookies]) {
        expect(`${name}=${value}`.length).toBeLessThan(4096);
        expect(value).toMatch(/^[A-Za-z0-9._-]*$/);
      }
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) {
        expect(/; Secure(;|$)/i.test(line)).toBe(secure);
        expect(line).toMatch(/; Path=\//i);
        expect(line).not.toContain('Domain');
        expect(line).toMatch(/SameSite=(Lax|Strict)/i);
        if (line.startsWith('XSRF-TOKEN=')) continue;
        expect(line).toMatch(/HttpOnly/i);
        expect(line.startsWith('__Host-')).toBe(secure);
      }
    }
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
    ['malformed cookies', ';;=;a;=b; c==;anteroom_session;%%%=\\"'],
    ['an empty session', `${sessionName}=`],
    ['an oversized session cookie', `${sessionName}=${'x'.repeat(8000)}`],
    ['two session cookies', `${sessionName}=${'a'.repeat(43)}; ${sessionName}=${'b'.repeat(43)}`],
    ['a NUL and quotes', `${sessionName}="%00'"`],
  ])('%s cause no failure', async (_what, cookie) => {
    const answer = await ask(cookie);
    expect(answer.statusCode).toBe(200);
  });

  test('names are compared exactly, values are not decoded, and a repeated name is detected [S20]', () => {
    const header = 'a=1; aa=2; a=3; b=x=y; c';
    expect(cookieValues(header, 'a')).toEqual(['1', '3']);
    expect(cookieValues(header, 'b')).toEqual(['x=y']);
    expect(cookieValues(header, 'c')).toEqual([]);
    expect(cookieValues(undefined, 'a')).toEqual([]);
  });
});
