import { expect, test, vi } from 'vitest';
import { findCookie, writeCookie } from './cookies.ts';

test('the last of two cookies with one name is read, because browsers list the cookie with the longer path first', () => {
  expect(findCookie('XSRF-TOKEN', 'XSRF-TOKEN=siblings; a=1; XSRF-TOKEN=our%2Fs; XSRF-TOKEN-2=x')).toBe(
    'our/s',
  );
  expect(findCookie('TOKEN', 'XSRF-TOKEN=x')).toBeUndefined();
  expect(findCookie('a', 'a=%E0%A4%A')).toBeUndefined();
});

test('a choice is stored for the whole site, far into the future [9.9]', () => {
  const page = { cookie: '' };
  vi.stubGlobal('document', page);
  vi.stubGlobal('location', { protocol: 'https:' });
  writeCookie('anteroom_locale', 'pt', 'far-future');
  vi.unstubAllGlobals();
  expect(page.cookie).toBe(
    'anteroom_locale=pt; Path=/; SameSite=Lax; Expires=Fri, 31 Dec 9999 23:59:59 GMT; Secure',
  );
});
