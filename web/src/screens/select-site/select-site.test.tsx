// @vitest-environment happy-dom
import type { Site } from '@anteroom/contract';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SiteList, SiteTodoAnswer } from '../../flow/model.ts';
import { toSiteTodo } from '../../flow/books.ts';
import { click, requireElement } from '../../ui/testing/draw.tsx';
import { drawSignIn, returnUrl } from '../testing/draw-app.tsx';
import type { DrawnApp } from '../testing/draw-app.tsx';
import { action, alerts, findAction, focusedName, step } from '../testing/page.ts';

const siteOf = (name: string, more: Partial<Site> = {}): Site => ({
  name,
  displayName: `${name} board`,
  sequence: 1,
  areEntitlementRequirementsMet: true,
  mfaRequirementMet: true,
  ...more,
});

async function drawSites(
  sites: Site[],
  more: Parameters<typeof drawSignIn>[0] = {},
  preferences: Partial<SiteList> = {},
): Promise<DrawnApp> {
  const app = await drawSignIn({
    selectSite: true,
    userName: 'ada',
    session: { state: 'valid', isExternallyAuthenticated: false },
    ...more,
  });
  await app.report({
    type: 'SITES_LOADED',
    siteList: {
      sites,
      userFirstName: 'Ada',
      userLastName: 'Quill',
      boardsUserName: 'aquill',
      directorToDoItemsEnabled: true,
      ...preferences,
    },
  });
  return app;
}

const entry = (name: string): HTMLElement => requireElement(`[data-site="${name}"]`);
const button = (name: string): HTMLButtonElement =>
  requireElement<HTMLButtonElement>(`[data-site="${name}"] button:not([data-todo])`);
const todosOf = (site: string, more: Partial<SiteTodoAnswer> = {}) =>
  ({
    type: 'TODO_LOADED',
    site,
    todo: toSiteTodo(
      {
        pendingVoteCount: 0,
        openQuestionnairesCount: 0,
        minutesCount: 0,
        actionItemsCount: 0,
        directorHomePageEnabled: true,
        books: [],
        ...more,
      },
      [],
    ),
  }) as const;

describe('the list', () => {
  test('welcomes by first and last name and asks for a board, with the focus on the heading [2.13, 2.57]', async () => {
    await drawSites([siteOf('alpha')]);
    expect(step()).toBe('select-site');
    expect(requireElement('main').textContent).toMatch(/Welcome, Ada Quill.*Select a board/);
    expect(focusedName()).toBe('H2');
  });

  test('an entry with autofocus has the focus [3.7]', async () => {
    await drawSites([siteOf('alpha'), siteOf('beta', { autofocus: true })]);
    expect(document.activeElement).toBe(button('beta'));
  });

  test('a group has a visible header only if its parent is not its first entry [2.59]', async () => {
    await drawSites([
      siteOf('parent', { sites: [siteOf('child')] }),
      siteOf('chair', { sites: [siteOf('chair'), siteOf('legs')] }),
    ]);
    expect(requireElement('[data-group=parent] [data-site=child]')).toBeDefined();
    const [header, repeated] = ['parent', 'chair'].map((name) => requireElement(`[data-group=${name}] h3`));
    expect([header?.textContent, repeated?.textContent]).toEqual(['parent board', 'chair board']);
    expect([header?.className, repeated?.className].map((name) => name?.includes('hidden'))).toEqual([
      false,
      true,
    ]);
  });

  test('the entitlement is a label, and "none" shows no label [2.61, 2.62]', async () => {
    await drawSites([
      siteOf('alpha', { clientEntitlement: 'Observer' }),
      siteOf('beta', { clientEntitlement: 'none' }),
      siteOf('gamma'),
      siteOf('delta', { clientEntitlement: '' }),
    ]);
    expect(
      [...document.querySelectorAll('[data-entitlement]')].map(({ textContent }) => textContent),
    ).toEqual(['Observer']);
  });

  test.each(['javascript:alert(1)', '//evil.example/logo.svg', '/\\evil.example/logo.svg', undefined])(
    'shows the default logo instead of %s [2.60, 7.12]',
    async (logoPath) => {
      await drawSites([siteOf('alpha', { logoPath })]);
      expect(entry('alpha').querySelector('img')?.getAttribute('src')).toMatch(/assets\/icons\/site\.svg/);
    },
  );

  test('shows skeletons while it loads', async () => {
    await drawSignIn({ selectSite: true });
    expect(document.querySelectorAll('[data-skeleton]').length).toBeGreaterThan(0);
  });
});

describe('selecting a site', () => {
  test('a press selects once [2.60, 4.20, 4.26]', async () => {
    const app = await drawSites([siteOf('alpha'), siteOf('beta')]);
    click(button('beta'));
    click(button('alpha'));
    expect(app.calls('selectSite')).toMatchObject([{ body: { site: 'beta' } }]);
    // the calls of to-dos in flight must not delay it
    expect(app.effects('stop-todos')).toHaveLength(1);
  });

  test.each([
    [
      'without the entitlement',
      { areEntitlementRequirementsMet: false },
      'Your access to this board is not active',
    ],
    [
      'without the second factor',
      { mfaRequirementMet: false },
      'This board also asks for a code or a passkey',
    ],
  ])('a site %s cannot be selected and shows the reason [2.61, 6.4]', async (_, more, reason) => {
    const app = await drawSites([siteOf('alpha', more)]);
    expect(button('alpha').getAttribute('aria-disabled')).toBe('true');
    expect(
      document.getElementById(button('alpha').getAttribute('aria-describedby') ?? '')?.textContent,
    ).toContain(reason);
    click(button('alpha'));
    expect(app.calls('selectSite')).toEqual([]);
  });

  test.each([
    ['the entitlement', { areEntitlementRequirementsMet: false }, 'ask-board-office'],
    ['a second factor without a remedy', { mfaRequirementMet: false }, 'global-support'],
    [
      'a second factor with a remedy of a later release',
      { mfaRequirementMet: false, mfaRemedy: 'new' },
      'global-support',
    ],
    [
      'a second factor that an app meets',
      { mfaRequirementMet: false, mfaRemedy: 'add-totp' },
      'set-up-second-factor',
    ],
    [
      'a second factor that a number meets',
      { mfaRequirementMet: false, mfaRemedy: 'add-sms' },
      'set-up-second-factor',
    ],
    [
      'a second factor that a passkey meets',
      { mfaRequirementMet: false, mfaRemedy: 'add-passkey' },
      'set-up-second-factor',
    ],
    [
      'a second factor of a service that does not name it',
      { mfaRequirementMet: false, mfaRemedy: 'add-factor' },
      'set-up-second-factor',
    ],
    [
      'a second factor that the organisation checks',
      { mfaRequirementMet: false, mfaRemedy: 'sign-in-at-company' },
      'sign-in-at-company',
    ],
  ])('a site that lacks %s has one remedy of its own [2.61]', async (_, more, remedy) => {
    const app = await drawSites([siteOf('alpha', more)]);
    expect(
      [...entry('alpha').querySelectorAll('[data-action]')].map((one) => one.getAttribute('data-action')),
    ).toEqual([remedy]);
    click(button('alpha'));
    expect(app.calls('selectSite')).toEqual([]);
  });

  test('the remedies lead to the account page, to the organisation, and to a message with the name of the board', async () => {
    await drawSites([
      siteOf('alpha', { mfaRequirementMet: false, mfaRemedy: 'add-totp' }),
      siteOf('beta', { mfaRequirementMet: false, mfaRemedy: 'sign-in-at-company' }),
      siteOf('gamma', { areEntitlementRequirementsMet: false }),
    ]);
    const link = (site: string): [string, string] => {
      const found = requireElement(`[data-site=${site}] a`);
      return [found.textContent, found.getAttribute('href') ?? ''];
    };
    expect(link('alpha')).toEqual(['Set up an app', '/ui/account?refererClientId=director']);
    const [words, address] = link('beta');
    expect(words).toBe('Sign in through your organisation');
    const { pathname, searchParams } = new URL(address, location.href);
    expect(pathname).toBe('/api/ui/auth/external/redirect');
    expect(Object.fromEntries(searchParams)).toEqual({
      site: 'beta',
      returnUrl,
      forceAuthentication: 'false',
    });
    expect(link('gamma')).toEqual(['Ask your board office', 'mailto:?subject=Access%20to%20gamma%20board']);
  });

  test('a session that cannot be changed is reported, and another site can be selected [4.20, 8.9]', async () => {
    const app = await drawSites([siteOf('alpha'), siteOf('beta')]);
    click(button('alpha'));
    await app.report({
      type: 'AUTH_FAILED',
      failure: { kind: 'handled', status: 400, code: 'session_migration_failure' },
    });
    expect(requireElement('[data-notification=error]').textContent).toContain('Something went wrong');
    click(button('beta'));
    expect(app.calls('selectSite').map(({ body }) => body.site)).toEqual(['alpha', 'beta']);
  });

  test('a site that requires the password opens its page, whose back link returns to the list [2.9]', async () => {
    const app = await drawSites([siteOf('alpha')]);
    click(button('alpha'));
    await app.report({ type: 'AUTH_ANSWERED', by: 'selectSite', answer: { status: 'password_required' } });
    expect(step()).toBe('password-required');
    click(action('back'));
    await app.report();
    expect([step(), app.state().loading]).toEqual(['select-site', false]);
  });

  test('a message is shown above the list if the service refuses the chosen site with site_requires_mfa', async () => {
    const app = await drawSites([siteOf('alpha')]);
    click(button('alpha'));
    await app.report({
      type: 'AUTH_FAILED',
      failure: { kind: 'handled', status: 401, code: 'site_requires_mfa' },
    });
    expect(alerts()).toContain('none that works here is set up for you');
  });
});

describe('to-dos', () => {
  test('show a skeleton, then the badges; the label of the button says what is new [2.63, 2.65, 2.66, WCAG 2.5.3]', async () => {
    const app = await drawSites([siteOf('alpha', { storedBooks: [] })]);
    expect(entry('alpha').querySelector('[data-skeleton]')).not.toBeNull();
    await app.report(
      todosOf('alpha', {
        pendingVoteCount: 30,
        openQuestionnairesCount: 21,
        books: [{ bookId: 'one', tabVersions: [], documentVersions: [] }],
      }),
    );
    expect(entry('alpha').querySelector('[data-skeleton]')).toBeNull();
    expect(entry('alpha').textContent).toContain('Awaiting review');
    const badges = [...entry('alpha').querySelectorAll('[data-todo]')];
    expect(badges.map(({ textContent }) => textContent.replace(/[\u2066\u2069]/g, ''))).toEqual([
      '30 votes',
      '20+ questionnaires',
    ]);
    expect(entry('alpha').querySelector('[data-mark]')?.textContent).toBe('new book');
    expect(button('alpha').getAttribute('aria-label')).toBe('Select board alpha board, new book');
  });

  test('a badge that is pressed reports type, display name and the exact count, and selects nothing [2.64]', async () => {
    const app = await drawSites([siteOf('alpha')]);
    await app.report(todosOf('alpha', { minutesCount: 42 }));
    const reported: unknown[] = [];
    const listen = (event: Event): void => {
      if (event instanceof CustomEvent) reported.push(event.detail);
    };
    document.addEventListener('todo-click', listen);
    click(requireElement('[data-todo=minutes]'));
    document.removeEventListener('todo-click', listen);
    expect(reported).toEqual([{ type: 'minutes', site: 'alpha board', count: 42 }]);
    expect(app.effects('report')).toHaveLength(1);
    expect(app.calls('selectSite')).toEqual([]);
  });

  test('a pressed badge opens a sheet that names it and opens the board, until Escape or the next click outside', async () => {
    const app = await drawSites([siteOf('alpha')]);
    await app.report(todosOf('alpha', { minutesCount: 1, pendingVoteCount: 2 }));
    const sheets = (): string[] =>
      [...document.querySelectorAll('[data-sheet]')].map(({ textContent }) => textContent);
    const escape = (): void =>
      void act(() => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' })));
    for (const close of [() => click(requireElement('h2')), escape]) {
      click(requireElement('[data-todo=minutes]'));
      click(requireElement('[data-todo=vote]'));
      expect(sheets()).toEqual(['2 votes at alpha boardOpen alpha board']);
      expect(requireElement('[data-todo=vote]').getAttribute('aria-expanded')).toBe('true');
      close();
      expect(sheets()).toEqual([]);
    }
    click(requireElement('[data-todo=vote]'));
    requireElement('[data-sheet] button').focus();
    escape();
    expect(document.activeElement).toBe(requireElement('[data-todo=vote]'));
    click(requireElement('[data-todo=vote]'));
    click(requireElement('[data-sheet] button'));
    expect(app.calls('selectSite')).toMatchObject([{ body: { site: 'alpha' } }]);
  });

  describe('with the entries in view', () => {
    const observed: [IntersectionObserverCallback, Element][] = [];
    class FakeObserver {
      readonly #report: IntersectionObserverCallback;
      constructor(report: IntersectionObserverCallback) {
        this.#report = report;
      }
      observe(target: Element): void {
        observed.push([this.#report, target]);
      }
      unobserve(): void {}
    }
    async function drawInView(sites: Site[]): Promise<DrawnApp> {
      observed.length = 0;
      const app = await drawSites(sites);
      act(() => {
        for (const [report, target] of observed)
          report([{ target, isIntersecting: true, boundingClientRect: { top: 0 } } as never], {} as never);
      });
      return app;
    }
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      vi.stubGlobal('IntersectionObserver', FakeObserver);
    });
    afterEach(() => void vi.useRealTimers());
    const isAwaited = (): boolean => document.querySelector('[data-awaited]') !== null;
    const hasLine = (site: string): boolean => entry(site).querySelector('[class*=line]') !== null;

    test('the list waits for quick to-dos and then has a line only where there are any', async () => {
      const app = await drawInView([siteOf('alpha'), siteOf('beta')]);
      expect([isAwaited(), hasLine('alpha'), hasLine('beta')]).toEqual([true, true, true]);
      await app.report(todosOf('alpha', { pendingVoteCount: 1 }), todosOf('beta'));
      expect([isAwaited(), hasLine('alpha'), hasLine('beta')]).toEqual([false, true, false]);
    });

    test('the list appears without slow to-dos, whose lines then stay', async () => {
      const app = await drawInView([siteOf('alpha'), siteOf('beta')]);
      await act(async () => vi.advanceTimersByTimeAsync(900));
      expect(isAwaited()).toBe(false);
      await app.report(todosOf('alpha'), { type: 'TODO_FAILED', site: 'beta' });
      expect([hasLine('alpha'), hasLine('beta')]).toEqual([true, true]);
      expect(entry('beta').textContent).toContain('To-dos could not be loaded.');
    });
  });

  test('one sentence says that nothing awaits, once that is known of every site', async () => {
    const app = await drawSites([siteOf('alpha'), siteOf('beta')]);
    const status = requireElement('output');
    await app.report(todosOf('alpha'));
    expect(status.textContent).toBe('');
    await app.report(todosOf('beta'));
    expect(status.textContent).toBe('You have no to-dos.');
  });

  test('a blocked site has its counts as plain text', async () => {
    const app = await drawSites([siteOf('alpha', { areEntitlementRequirementsMet: false })]);
    await app.report(todosOf('alpha', { minutesCount: 2 }));
    expect(entry('alpha').textContent).toContain('2 sets of minutes');
    expect(entry('alpha').querySelectorAll('button')).toHaveLength(1);
  });

  test('a failed answer leaves the entry unchanged; a line above the list says so and loads it again [4.26]', async () => {
    const app = await drawSites([siteOf('alpha'), siteOf('beta')]);
    await app.report(todosOf('beta'), { type: 'TODO_FAILED', site: 'alpha' });
    expect(entry('alpha').querySelector('[data-skeleton], [data-todo]')).toBeNull();
    expect(requireElement('output').textContent).toBe('To-dos could not be loaded.');
    click(action('load-todos-again'));
    expect(app.effects('load-todos').at(-1)?.others).toEqual(['alpha']);
    await app.report({ type: 'TODO_LOADING', site: 'alpha' });
    expect([requireElement('output').textContent, findAction('load-todos-again')]).toEqual(['', null]);
  });
});

describe('pinned sites', () => {
  const names = 'abcdefghijklm'.split('');
  const family = siteOf('family', { sites: [siteOf('f1'), siteOf('f2')] });
  const sites = [...names.map((name) => siteOf(name)), family];
  const drawPins = (preferences: Partial<SiteList>): Promise<DrawnApp> => drawSites(sites, {}, preferences);
  const namesIn = (section: string): (string | null)[] =>
    [...document.querySelectorAll(`${section} [data-site]`)].map((one) => one.getAttribute('data-site'));
  const pins = (site: string): HTMLElement[] => [
    ...document.querySelectorAll<HTMLElement>(`[data-site="${site}"] [data-action="pin-site"]`),
  ];

  test('come first, in the order of the list, and are no recent sites', async () => {
    await drawPins({
      pinnedSites: ['gone', 'm', 'f2', 'c'],
      recentSitesFirst: true,
      recentSites: ['c', 'k', 'b'],
    });
    expect(requireElement('[data-pinned] + [data-recent] + h3 + ul')).toBeDefined();
    expect([namesIn('[data-pinned]'), namesIn('[data-recent]')]).toEqual([
      ['c', 'f2', 'm'],
      ['k', 'b'],
    ]);
    expect(requireElement('[data-pinned] h3').textContent).toBe('Pinned');
  });

  test('are a section beside all boards, whose families and entries are one heading level below', async () => {
    await drawPins({ pinnedSites: ['c'] });
    const levels = [...document.querySelectorAll('h3, h4')].map(
      ({ localName, textContent }) => `${localName} ${textContent}`,
    );
    expect(levels).toEqual(['h3 Pinned', 'h3 All boards', 'h4 family board']);
  });

  test('a press pins or unpins everywhere in the list, selects nothing, and moves no entry and no focus', async () => {
    const app = await drawPins({ pinnedSites: ['c'] });
    const entries = namesIn('main');
    const [above, below] = pins('c');
    above?.focus();
    if (above) click(above);
    for (const site of ['c', 'm']) {
      const [pin = document.body] = pins(site);
      expect(pin.getAttribute('aria-label')).toBe(`Pin ${site} board`);
      expect(pin.getAttribute('aria-pressed')).toBe(String(site === 'c'));
    }
    expect(app.effects('keep-preference')).toEqual([
      { type: 'keep-preference', preference: { site: 'c', isOn: false } },
    ]);
    await app.report({ type: 'SITE_LIST_CHANGED', change: { pinnedSites: ['m'] } });
    expect([above, below].map((pin) => pin?.getAttribute('aria-pressed'))).toEqual(['false', 'false']);
    expect(pins('m').map((pin) => pin.getAttribute('aria-pressed'))).toEqual(['true']);
    expect(namesIn('main')).toEqual(entries);
    expect(document.activeElement).toBe(above);
    expect(app.calls('selectSite')).toEqual([]);
  });

  test('are for a long list of a service that offers them', async () => {
    await drawPins({});
    expect(pins('c')).toEqual([]);
    await drawSites(sites.slice(0, 3), {}, { pinnedSites: ['c'] });
    expect([pins('c'), namesIn('[data-pinned]')]).toEqual([[], []]);
  });
});

describe('the site of the session', () => {
  test('is marked, and keeps its mark while another site opens', async () => {
    const session = { state: 'valid', isExternallyAuthenticated: false, authSite: 'beta' } as const;
    const app = await drawSites([siteOf('alpha'), siteOf('beta')], { promptMethod: 'switch_site', session });
    expect(button('beta').getAttribute('aria-current')).toBe('true');
    expect(entry('beta').textContent).toContain('You are here');
    click(button('alpha'));
    await app.report({
      type: 'AUTH_ANSWERED',
      by: 'selectSite',
      answer: { status: 'redirect', location: 'https://app.example/back' },
    });
    expect(entry('alpha').hasAttribute('data-opening')).toBe(true);
    expect(entry('alpha').textContent).not.toContain('You are here');
    expect(entry('beta').textContent).toContain('You are here');
  });

  test('is unset at the first selection', async () => {
    await drawSites([siteOf('alpha')]);
    expect(document.querySelector('[aria-current]')).toBeNull();
  });
});

describe('a user without boards', () => {
  test('gets an explanation on the error page, whose only action signs out without a confirmation [4.29, 7.8]', async () => {
    const app = await drawSites([]);
    expect(step()).toBe('error');
    expect(requireElement('main').textContent).toContain('You have no boards yet');
    expect(findAction('sign-out')).not.toBeNull();
    click(action('sign-out'));
    await app.report({
      type: 'LOGOUT_CONTEXT_LOADED',
      context: { requiresConfirmation: true, showCancelButton: true },
    });
    expect(app.calls('signOut')).toHaveLength(1);
    await app.report({ type: 'SIGNED_OUT' });
    expect(step()).toBe('logged-out');
  });
});

describe('the header link', () => {
  test('signs out [2.58, 4.29]', async () => {
    const app = await drawSites([siteOf('alpha')]);
    click(action('sign-out'));
    expect(app.calls('getLogoutContext')).toHaveLength(1);
  });

  test('leads back to the boards while switching sites [2.58]', async () => {
    const app = await drawSites([siteOf('alpha')], { promptMethod: 'switch_site' });
    expect(findAction('sign-out')).toBeNull();
    click(action('back-to-boards'));
    expect(app.effects('leave')).toEqual([{ type: 'leave', location: 'https://app.example/cancel' }]);
  });
});
