import { pageRoutes } from '@anteroom/contract/page-routes';
import { describe, expect, test } from 'vitest';
import { steps } from '../flow/model.ts';
import { parseArrival } from './arrival.ts';

const arriveAt = (path: string) => parseArrival(new URL(path, 'https://id.example'));

describe('the address of a visit', () => {
  test.each([
    '/ui/',
    '/ui/account/login',
    '/ui/account/login/',
    ...steps.map((step) => `/ui/login-wizard/${step}`),
  ])('%s starts the login', (path) => expect(arriveAt(path).entry).toEqual({ kind: 'login' }));

  test('a sign-out address has the logout id and the parameter that skips the delay', () => {
    expect(arriveAt('/ui/account/logout?LogoutId=l1&Skip_Logout_Delay')).toMatchObject({
      entry: { kind: 'logout', logoutId: 'l1' },
      skipLogoutDelay: true,
    });
    expect(arriveAt('/ui/account/logged-out').entry).toEqual({ kind: 'logout', logoutId: undefined });
  });

  test('the pages under home, including both spellings of the verified e-mail page [2.14, 2.16]', () => {
    expect(arriveAt('/ui/home/version').entry).toEqual({ kind: 'home', page: 'version' });
    for (const spelling of ['require-verified-login-email', 'require_verified_email'])
      expect(arriveAt(`/ui/home/${spelling}`).entry).toEqual({
        kind: 'home',
        page: 'require-verified-login-email',
      });
    expect(arriveAt('/ui/home/error?ERRORID=e1').entry).toEqual({ kind: 'error', errorId: 'e1' });
    expect(arriveAt('/ui/home/cancel-redirect-uri').entry).toEqual({ kind: 'cancel-redirect-uri' });
  });

  test.each(['forgotten-password', 'new-password', 'forgotten-site'])(
    'the recovery page %s, in the language of its link',
    (page) => {
      expect(arriveAt(`/ui/recovery/${page}?Culture=de`)).toMatchObject({
        entry: { kind: 'standalone', page },
        culture: 'de',
      });
    },
  );

  test('the account page is separate from the flow', () => {
    expect(arriveAt('/ui/account?culture=de')).toMatchObject({
      entry: { kind: 'standalone', page: 'account' },
      culture: 'de',
    });
  });

  test('only pages outside the flow read the culture parameter', () => {
    expect(arriveAt('/ui/account/login?culture=de').culture).toBeUndefined();
  });

  test.each(pageRoutes.filter((route) => route !== 'home/error'))(
    'the route %s of the contract has a page [2.17]',
    (route) => {
      expect(arriveAt(`/ui/${route}`).entry.kind).not.toBe('error');
      expect(arriveAt(`/ui/${route}x`).entry.kind).toBe('error');
    },
  );

  test.each([
    '/ui/recovery',
    '/ui/recovery/',
    '/ui/recovery/constructor',
    '/ui/no/such/page',
    '/ui/account/nothing',
    '/ui/login-wizard/',
    '/ui/login-wizard/constructor',
    '/elsewhere?errorId=e1',
  ])('%s shows the error page [2.17]', (path) =>
    expect(arriveAt(path).entry).toEqual({ kind: 'error', errorId: undefined, reason: 'address' }),
  );

  test('parameter names are case-insensitive [2.19]', () => {
    expect(arriveAt('/ui/account/login?RETURNURL=%2Fx%3Fa%3Db&Skip_Splash=1')).toMatchObject({
      returnUrl: '/x?a=b',
      skipSplash: true,
    });
    expect(arriveAt('/ui/account/login')).toMatchObject({ returnUrl: undefined, skipSplash: false });
  });
});
