// @vitest-environment happy-dom
import type { Site } from '@anteroom/contract';
import { act } from 'react';
import { describe, expect, test } from 'vitest';
import type { SiteTodoAnswer } from '../../flow/model.ts';
import { toSiteTodo } from '../../flow/books.ts';
import { click, requireElement } from '../../ui/testing/draw.tsx';
import { drawSignIn } from '../testing/draw-app.tsx';
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

async function drawSites(sites: Site[], more: Parameters<typeof drawSignIn>[0] = {}): Promise<DrawnApp> {
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
  test('welcomes by first and last name and asks for a board, with the focus on the heading', async () => {
    await drawSites([siteOf('alpha')]);
    expect(step()).toBe('select-site');
    expect(requireElement('main').textContent).toMatch(/Welcome, Ada Quill.*Select a board/);
    expect(focusedName()).toBe('H2');
  });

  test('an entry with autofocus has the focus', async () => {
    await drawSites([siteOf('alpha'), siteOf('beta', { autofocus: true })]);
    expect(document.activeElement).toBe(button('beta'));
  });

  test('a group is under the name of its parent', async () => {
    await drawSites([siteOf('parent', { sites: [siteOf('child')] })]);
    expect(requireElement('[data-group=parent] h3').textContent).toBe('parent board');
    expect(requireElement('[data-group=parent] [data-site=child]')).toBeDefined();
  });

  test('the entitlement is a label, and "none" shows no label', async () => {
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

  test('shows skeletons while it loads', async () => {
    await drawSignIn({ selectSite: true });
    expect(document.querySelectorAll('[data-skeleton]').length).toBeGreaterThan(0);
  });
});

describe('selecting a site', () => {
  test('a press selects once', async () => {
    const app = await drawSites([siteOf('alpha'), siteOf('beta')]);
    click(button('beta'));
    click(button('alpha'));
    expect(app.effects('select-site')).toEqual([{ type: 'select-site', site: 'beta' }]);
  });

  test.each([
    [
      'without the entitlement',
      { areEntitlementRequirementsMet: false },
      'Your access to this board is not active',
    ],
    ['without the second factor', { mfaRequirementMet: false }, 'This board asks for a code by text message'],
  ])('a site %s cannot be selected and shows the reason', async (_, more, reason) => {
    const app = await drawSites([siteOf('alpha', more)]);
    expect(button('alpha').getAttribute('aria-disabled')).toBe('true');
    expect(
      document.getElementById(button('alpha').getAttribute('aria-describedby') ?? '')?.textContent,
    ).toContain(reason);
    click(button('alpha'));
    expect(app.effects('select-site')).toEqual([]);
  });

  test('only the missing second factor has a link to support', async () => {
    await drawSites([
      siteOf('alpha', { mfaRequirementMet: false }),
      siteOf('beta', { disabledForEntitlements: true }),
    ]);
    expect(entry('alpha').querySelectorAll('[data-action=global-support]')).toHaveLength(1);
    expect(entry('beta').querySelectorAll('[data-action=global-support]')).toHaveLength(0);
  });

  test('a message is shown above the list if the service refuses the chosen site with site_requires_mfa', async () => {
    const app = await drawSites([siteOf('alpha')]);
    click(button('alpha'));
    await app.report({
      type: 'AUTH_FAILED',
      by: 'select-site',
      failure: { kind: 'handled', status: 401, code: 'site_requires_mfa' },
    });
    expect(alerts()).toContain('we have no mobile number for you');
  });
});

describe('to-dos', () => {
  test('show a skeleton, then the badges; the label of the button says what is new', async () => {
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
    const badges = [...entry('alpha').querySelectorAll('[data-todo]')];
    expect(badges.map(({ textContent }) => textContent.replace(/[\u2066\u2069]/g, ''))).toEqual([
      '30 votes',
      '20+ questionnaires',
    ]);
    expect(entry('alpha').querySelector('[data-mark]')?.textContent).toBe('new book');
    expect(button('alpha').getAttribute('aria-label')).toBe('Select board alpha board, new book');
  });

  test('a badge that is pressed reports type, display name and the exact count, and selects nothing', async () => {
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
    expect(app.effects('select-site')).toEqual([]);
  });

  test('a pressed badge shows its message under the badges until Escape or the next click outside', async () => {
    const app = await drawSites([siteOf('alpha')]);
    await app.report(todosOf('alpha', { minutesCount: 1, pendingVoteCount: 1 }));
    const answer = requireElement('[data-site=alpha] [aria-live=polite]');
    expect(answer.textContent).toBe('');
    for (const close of [
      () => click(requireElement('h2')),
      () => act(() => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))),
    ]) {
      click(requireElement('[data-todo=minutes]'));
      click(requireElement('[data-todo=vote]'));
      expect(answer.textContent.replace(/[\u2066-\u2069]/g, '')).toBe('Open alpha board to see it.');
      close();
      expect(answer.textContent).toBe('');
    }
  });

  test('a blocked site has its counts as plain text', async () => {
    const app = await drawSites([siteOf('alpha', { areEntitlementRequirementsMet: false })]);
    await app.report(todosOf('alpha', { minutesCount: 2 }));
    expect(entry('alpha').textContent).toContain('2 sets of minutes');
    expect(entry('alpha').querySelectorAll('button')).toHaveLength(1);
  });

  test('a failed answer leaves the entry unchanged', async () => {
    const app = await drawSites([siteOf('alpha')]);
    await app.report({ type: 'TODO_FAILED', site: 'alpha' });
    expect(entry('alpha').querySelector('[data-skeleton], [data-todo]')).toBeNull();
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
      by: 'select-site',
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
  test('gets an explanation on the error page, whose only action signs out without a confirmation', async () => {
    const app = await drawSites([]);
    expect(step()).toBe('error');
    expect(requireElement('main').textContent).toContain('You have no boards yet');
    expect(findAction('sign-out')).not.toBeNull();
    click(action('sign-out'));
    await app.report({
      type: 'LOGOUT_CONTEXT_LOADED',
      context: { requiresConfirmation: true, showCancelButton: true },
    });
    expect(app.effects('sign-out')).toHaveLength(1);
    await app.report({ type: 'SIGNED_OUT' });
    expect(step()).toBe('logged-out');
  });
});

describe('the header link', () => {
  test('signs out', async () => {
    const app = await drawSites([siteOf('alpha')]);
    click(action('sign-out'));
    expect(app.effects('load-logout-context')).toHaveLength(1);
  });

  test('leads back to the boards while switching sites', async () => {
    const app = await drawSites([siteOf('alpha')], { promptMethod: 'switch_site' });
    expect(findAction('sign-out')).toBeNull();
    click(action('back-to-boards'));
    expect(app.effects('leave')).toEqual([{ type: 'leave', location: 'https://app.example/cancel' }]);
  });
});
