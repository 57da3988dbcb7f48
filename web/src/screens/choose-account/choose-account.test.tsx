// @vitest-environment happy-dom
import { act } from 'react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Mock } from 'vitest';
import { click, requireElement } from '../../ui/testing/draw.tsx';
import { contextOf, drawApp, returnUrl } from '../testing/draw-app.tsx';
import type { DrawnApp } from '../testing/draw-app.tsx';
import {
  action,
  alerts,
  field,
  findAction,
  focusedName,
  heading,
  step,
  submit,
  type,
} from '../testing/page.ts';

const dana = {
  id: 'one',
  name: 'Dana Whitfield',
  userName: 'dana',
  site: 'northwind',
  siteDisplayName: 'Northwind Holdings',
  siteLogoPath: undefined,
};
const ada = { ...dana, id: 'two', name: 'Ada Byron', userName: 'ada', siteLogoPath: 'javascript:alert(1)' };

const arrival = { entry: { kind: 'login' }, returnUrl } as const;
const context = contextOf({ rememberedAccounts: [dana, ada] });
const drawChoice = (changes: Parameters<typeof contextOf>[0] = {}): Promise<DrawnApp> =>
  drawApp(arrival, [{ type: 'CONTEXT_LOADED', context: { ...context, ...changes } }]);

const rows = (): string[] =>
  [...document.querySelectorAll('[data-action=continue-as]')].map((row) =>
    [...(row.querySelector('[data-logo] + *')?.childNodes ?? [])]
      .map(({ textContent }) => textContent?.trim())
      .filter(Boolean)
      .join(' '),
  );
const checked = (site: string) =>
  ({
    type: 'SITE_CHECKED',
    site,
    answer: { siteExists: true, identityServiceUrl: location.origin },
  }) as const;
const settings = (allowPasswordEntry: boolean) =>
  ({ type: 'SITE_SETTINGS_LOADED', answer: { allowPasswordEntry } }) as const;

function stubFetch(answer: () => Response | Promise<Response>): Mock {
  const sent = vi.fn<typeof answer>(answer);
  vi.stubGlobal('fetch', sent);
  onTestFinished(() => void vi.unstubAllGlobals());
  return sent;
}

describe('the accounts that the browser remembers', () => {
  test('are offered first, named after user and organisation, before a known site is used', async () => {
    await drawChoice();
    expect([step(), heading(), focusedName()]).toEqual(['choose-account', 'Choose an account', 'H2']);
    expect(rows()).toEqual([
      'Continue as Dana Whitfield Northwind Holdings',
      'Continue as Ada Byron Northwind Holdings',
    ]);
    expect([document.querySelector('input'), document.querySelector('[role=alert] svg')]).toEqual([
      null,
      null,
    ]);
    expect(document.title).toMatch(/^Choose an account/);
  });

  test('are not offered to a visitor whose user name comes from a recovery page', async () => {
    await drawApp({ ...arrival, enteredUserName: 'dana.office' }, [
      { type: 'CONTEXT_LOADED', context: { ...context, defaultSite: undefined } },
    ]);
    expect(step()).toBe('site-entry');
  });

  test('show no user name and no unsafe logo', async () => {
    await drawChoice();
    expect(requireElement('main').textContent).not.toMatch(/dana(?! W)|ada(?! B)/);
    expect(
      [...document.querySelectorAll('[data-account] [data-logo] img')].map((image) =>
        image.getAttribute('src'),
      ),
    ).toEqual(Array.from({ length: 2 }, () => expect.stringContaining('site.svg') as string));
  });

  test('show the user name of two accounts that are otherwise alike', async () => {
    await drawChoice({ rememberedAccounts: [dana, { ...dana, id: 'two', userName: 'dana.office' }] });
    expect(requireElement('main').textContent).toContain('dana.office');
    expect(rows()[1]).toBe('Continue as Dana Whitfield Northwind Holdings dana.office');
    const forget = [...document.querySelectorAll('[data-action=forget-account]')];
    expect(forget.map((button) => button.getAttribute('aria-label'))[1]).toBe(
      'Forget Dana Whitfield (dana.office), Northwind Holdings',
    );
  });

  test('do not appear in a service that lists none', async () => {
    await drawChoice({ rememberedAccounts: [] });
    expect(step()).not.toBe('choose-account');
  });
});

describe('choosing an account', () => {
  test('fills in the site and the read-only user name, and requests the password', async () => {
    const app = await drawChoice();
    click(action('continue-as'));
    expect(app.calls('getSiteExistence')).toEqual([{ params: { name: 'northwind' } }]);
    await app.report({ ...checked('northwind'), userName: 'dana' }, settings(true));
    expect([step(), field('userName').value, field('userName').readOnly, focusedName()]).toEqual([
      'credentials',
      'dana',
      true,
      'password',
    ]);
    type('password', 'secret');
    submit();
    expect(app.calls('authenticate')[0]?.body).toMatchObject({
      site: 'northwind',
      userName: 'dana',
      password: 'secret',
    });
  });

  test('looks the user up at a site without passwords', async () => {
    const app = await drawChoice();
    click(action('continue-as'));
    await app.report({ ...checked('northwind'), userName: 'dana' }, settings(false));
    expect(app.calls('getUserSettings')).toEqual([
      { query: { returnUrl, usernameOrEmail: 'dana', site: 'northwind' } },
    ]);
  });

  test('says so if the site has gone', async () => {
    const app = await drawChoice();
    click(action('continue-as'));
    await app.report({ type: 'SITE_CHECKED', site: 'northwind', answer: { siteExists: false } });
    expect([step(), alerts()]).toEqual(['choose-account', 'Unknown site name. Check the spelling.']);
  });

  test('of another person leads back to the accounts, and to an editable user name', async () => {
    const app = await drawChoice();
    click(action('continue-as'));
    await app.report({ ...checked('northwind'), userName: 'dana' }, settings(true), { type: 'BACK_TO_SITE' });
    expect(step()).toBe('choose-account');
    click(action('other-account'));
    await app.report();
    expect(step()).toBe('site-entry');
    click(action('back'));
    expect(step()).toBe('choose-account');
    click(action('other-account'));
    await app.report({ type: 'SITE_ENTERED', site: 'harbor' }, checked('harbor'), settings(true));
    expect([field('userName').value, field('userName').readOnly]).toEqual(['', false]);
  });

  test('is not repeated when the sign-in starts again by itself', async () => {
    const app = await drawChoice();
    click(action('continue-as'));
    await app.report(
      { ...checked('northwind'), userName: 'dana' },
      settings(true),
      { type: 'RESTORED' },
      { type: 'CONTEXT_LOADED', context: { ...context, defaultSite: 'northwind' } },
      settings(true),
    );
    expect([step(), field('userName').value]).toEqual(['credentials', 'dana']);
  });
});

describe('another account', () => {
  test('leads to site entry', async () => {
    const app = await drawChoice();
    click(action('other-account'));
    await app.report();
    expect([step(), focusedName()]).toEqual(['site-entry', 'site']);
  });

  test('leads to the credentials if the application has named the site', async () => {
    const app = await drawChoice({ allowDefaultSiteEntry: false });
    click(action('other-account'));
    await app.report(settings(true));
    expect([step(), findAction('back-to-site'), field('userName').readOnly]).toEqual([
      'credentials',
      null,
      false,
    ]);
  });
});

describe('forgetting an account', () => {
  test('takes one press, and the list without it keeps the focus in the step and says so', async () => {
    const sent = stubFetch(() => new Response(null, { status: 204 }));
    const app = await drawChoice();
    const forget = action('forget-account');
    expect(forget.getAttribute('aria-label')).toBe('Forget Dana Whitfield, Northwind Holdings');
    forget.focus();
    await act(async () => forget.click());
    expect(sent.mock.calls[0]).toMatchObject([
      '/api/ui/remembered-accounts/forget',
      { method: 'POST', body: JSON.stringify({ id: 'one' }) },
    ]);
    await app.report({ type: 'CONTEXT_LOADED', context: { ...context, rememberedAccounts: [ada] } });
    expect(rows()).toEqual(['Continue as Ada Byron Northwind Holdings']);
    expect(requireElement('main').textContent).toContain('This browser has forgotten Dana Whitfield.');
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(requireElement('main').contains(document.activeElement)).toBe(true);
  });

  test('that was the last one begins the sign-in as in a new browser', async () => {
    stubFetch(() => new Response(null, { status: 204 }));
    const app = await drawChoice({ rememberedAccounts: [dana] });
    await act(async () => action('forget-account').click());
    await app.report(
      { type: 'CONTEXT_LOADED', context: { ...context, rememberedAccounts: undefined } },
      settings(true),
    );
    expect([step(), focusedName()]).toEqual(['credentials', 'userName']);
  });

  test('keeps the account and says so if the service does not answer', async () => {
    stubFetch(() => Promise.reject(new TypeError('no connection')));
    await drawChoice();
    await act(async () => action('forget-account').click());
    expect(rows()).toHaveLength(2);
    expect(alerts()).toBe('The account could not be forgotten. Try again.');
  });
});
