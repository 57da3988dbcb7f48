// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest';
import type { Config } from '@anteroom/contract';
import { act } from 'react';
import type { AccountApi, PresentAccount } from '../../api/account-client.ts';
import type { FrameAction } from '../../ui/link/action.ts';
import { click, draw, requireElement } from '../../ui/testing/draw.tsx';
import { action, findAction, type } from '../testing/page.ts';
import { AccountScreen } from './AccountScreen.tsx';
import { findNextStep } from './next-step.ts';

const session = {
  id: 'a',
  isPresent: true,
  browser: 'Chrome (Windows)',
  site: 'Corp',
  signedInAt: '2026-11-20T08:05:00Z',
  lastSeenAt: '2026-11-20T09:30:00Z',
};

/** An account as the service answers it, without what it leaves out. */
const accountOf = (more: Partial<PresentAccount>): PresentAccount => ({
  userName: 'ada',
  name: 'Ada Lovelace',
  sites: ['Corp'],
  companies: [],
  sessions: [session, { ...session, id: 'b', isPresent: false }],
  rememberedComputers: 0,
  ...more,
});

function drawAccount(more: Partial<PresentAccount>): void {
  drawWith(accountOf(more));
}

/** Renders the page of an account; the calls are answered by `answers`, and the account changes with `after`. */
function drawWith(
  account: PresentAccount,
  { answers = {}, after = account, config = {}, read = { ok: true, answer: after } }: Partial<Service> = {},
): string[] {
  const called: string[] = [];
  const api: object = {
    proofAddress: (purpose: string) => `/proof/${purpose}`,
    read: () => Promise.resolve(read),
    call: (name: string) => {
      called.push(name);
      return Promise.resolve(answers[name] ?? { ok: true, answer: { events: [] } });
    },
  };
  draw(<AccountScreen api={api as AccountApi} config={config} first={account} />);
  return called;
}

async function sendNumber(number: string): Promise<void> {
  await press('set-phone-number');
  await vi.waitFor(() => requireElement('input[name=phoneNumber]'));
  type('phoneNumber', number);
  await submit();
}

interface Service {
  answers: Readonly<Record<string, unknown>>;
  after: PresentAccount;
  config: Config;
  /** The result of reading the account again. */
  read: unknown;
}

const page = (): string => requireElement('main').textContent;

test('reloads when the back/forward cache restores it, because the user may have signed out', () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  drawAccount({});
  const show = (persisted: boolean): boolean =>
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
  show(false);
  expect(reload).not.toHaveBeenCalled();
  show(true);
  expect(reload).toHaveBeenCalledOnce();
  reload.mockRestore();
});

test.each([
  ['unauthorised', 1],
  ['unreachable', 0],
])('reloads on a return to its tab if the session has ended: %s', async (kind, reloads) => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  drawWith(accountOf({}), { read: { ok: false, failure: { kind } } });
  await act(async () => document.dispatchEvent(new Event('visibilitychange')));
  expect(reload).toHaveBeenCalledTimes(reloads);
  reload.mockRestore();
});
const headings = (): string[] => [...document.querySelectorAll('h2')].map((one) => one.textContent);

const withPassword = {
  password: { changedAt: '2026-03-02T10:00:00Z' },
  passkeys: [],
} satisfies Partial<PresentAccount>;
const reason = 'so you cannot add this with the password alone';

describe('the account of a session from a company', () => {
  test('shows only the profile and the sessions, and a button to prove the own password', () => {
    drawAccount({ isLimited: true, mayProveOwnPassword: true, hasActivity: true, rememberedComputers: 2 });
    expect(headings()).toEqual(['Sign-in', 'Devices', 'Preferences']);
    expect(page()).toContain('You signed in through your organisation.');
    expect(findAction('prove-own-password')?.getAttribute('href')).toBe('/proof/own-password');
    expect(page()).not.toContain('board office');
  });

  test('without an own password names who can help', () => {
    drawAccount({ isLimited: true, mayProveOwnPassword: false });
    expect(findAction('prove-own-password')).toBeNull();
    expect(page()).toContain('Your board office can help you with everything else.');
  });

  test('ends the other sessions that it shows, and promises no more', () => {
    drawAccount({ isLimited: true });
    expect(findAction('end-session')).not.toBeNull();
    expect(findAction('end-other-sessions')?.textContent).toBe('Sign out Other devices shown here');
  });
});

describe('adding a factor', () => {
  test('a user with only a password is offered a passkey, an app and a phone number if the service allows it', () => {
    drawAccount({ ...withPassword, mayAddPasskey: true, mayAddCodeFactor: true });
    for (const name of ['create-passkey', 'set-up-app', 'set-phone-number'])
      expect(findAction(name), name).not.toBeNull();
    expect(page()).not.toContain(reason);
  });

  test('is not offered if the service does not allow it, and each section says why', () => {
    drawAccount({ ...withPassword, mayAddPasskey: false, mayAddCodeFactor: false });
    for (const name of ['create-passkey', 'set-up-app', 'set-phone-number'])
      expect(findAction(name), name).toBeNull();
    expect(page().split(reason)).toHaveLength(4);
  });

  test.each([
    ['only a password learns', {}, true],
    ['a phone number need not learn', { phoneNumber: { suffix: '42' } }, false],
  ])('a user with %s that a passkey replaces the password alone', (_who, more, isTold) => {
    drawAccount({ ...withPassword, mayAddPasskey: true, mayAddCodeFactor: true, ...more });
    expect(page().includes('your password alone no longer signs you in')).toBe(isTold);
  });

  test('has no section for passkeys if the service does not support them', () => {
    drawAccount({ password: withPassword.password, mayAddCodeFactor: true });
    expect(page()).not.toContain('Passkeys');
  });
});

const rich = accountOf({
  ...withPassword,
  phoneNumber: { suffix: '42' },
  authenticatorApp: { setUpAt: '2026-05-11T10:00:00Z', recoveryCodesLeft: 9 },
  passkeys: [{ id: 'p', name: 'iCloud Keychain', createdAt: '2026-06-01T09:00:00Z' }],
  mayAddPasskey: true,
  mayAddCodeFactor: true,
  hasActivity: true,
});
const offerAuthenticatorApp = {
  ok: true,
  answer: { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/x', recoveryCodes: [] },
};
const press = async (name: string): Promise<void> => {
  click(action(name));
  await act(async () => {});
};
const submit = async (): Promise<void> => {
  click(requireElement('main button[type=submit]'));
  await act(async () => {});
  await act(async () => {});
};
const row = (id: string): HTMLElement => requireElement(`[data-row="${id}"]`);
const titleOf = (id: string): HTMLElement => requireElement(`[data-row="${id}"] :is(h3, h4)`);
const pressEscape = (more: KeyboardEventInit = {}): void =>
  act(
    () =>
      void document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, ...more }),
      ),
  );

describe('a removal', () => {
  const withoutPhone = { ...rich, phoneNumber: undefined };
  const withoutApp = { ...rich, authenticatorApp: undefined };
  const removals: [FrameAction, string, string, PresentAccount][] = [
    ['remove-phone-number', 'removePhoneNumber', 'phone', withoutPhone],
    ['remove-app', 'removeAuthenticatorApp', 'app', withoutApp],
    ['remove-passkey', 'removeAccountPasskey', 'passkeys', { ...rich, passkeys: [] }],
  ];

  test.each(removals)('%s asks in its row first, and keeps if the user keeps', async (name, call) => {
    const called = drawWith(rich);
    await press(name);
    expect(document.activeElement?.textContent).toMatch(
      /^Remove .+\? You will .+ signed out on all other devices\.$/,
    );
    await press('cancel');
    expect(document.activeElement).toBe(action(name));
    expect(called).not.toContain(call);
  });

  test.each<[FrameAction, Partial<PresentAccount>]>([
    ['remove-phone-number', { phoneNumber: rich.phoneNumber }],
    ['remove-app', { authenticatorApp: rich.authenticatorApp }],
    ['remove-passkey', { passkeys: rich.passkeys }],
  ])('%s of the only factor says that the password alone remains', async (name, factor) => {
    drawAccount({ ...withPassword, mayAddCodeFactor: true, ...factor });
    await press(name);
    expect(document.activeElement?.textContent).toContain('Then only your password protects your account.');
  });

  test('is not offered for a factor that a site requires, and its row says so', () => {
    drawAccount({ ...rich, neededFactors: ['totp', 'sms', 'passkey'] });
    for (const [name] of removals) expect(findAction(name), name).toBeNull();
    expect(page().split('Required by one of your boards')).toHaveLength(4);
  });

  test('is offered for each of two passkeys where a site requires one', () => {
    const [passkey] = rich.passkeys ?? [];
    const passkeys = passkey ? [passkey, { ...passkey, id: 'q' }] : [];
    drawAccount({ ...rich, passkeys, neededFactors: ['passkey'] });
    expect(document.querySelectorAll('[data-action=remove-passkey]')).toHaveLength(2);
  });

  test('is not offered while a form of its row is open', async () => {
    drawWith(rich);
    await press('set-phone-number');
    await vi.waitFor(() => requireElement('input[type=tel]'));
    expect(findAction('remove-phone-number')).toBeNull();
  });

  test.each(removals)('%s puts focus and message at the changed row', async (name, call, id, after) => {
    const called = drawWith(rich, { after });
    await press(name);
    await submit();
    expect(called).toContain(call);
    expect(findAction(name)).toBeNull();
    expect(document.activeElement).toBe(titleOf(id));
    expect(row(id).querySelector('[data-banner=info]')?.textContent).toContain('has been removed');
  });

  test('that failed hides its message while the row asks again', async () => {
    const failure = { ok: false, failure: { kind: 'unreachable' } };
    drawWith(rich, { answers: { removePhoneNumber: failure } });
    await press('remove-phone-number');
    await submit();
    expect(row('phone').textContent).toContain('cannot reach');
    await press('remove-phone-number');
    expect(row('phone').textContent).not.toContain('cannot reach');
  });

  test.each([
    { kind: 'unauthorised', status: 401 },
    { kind: 'handled', status: 403, code: 'csrf_failed' },
  ])('without a session leads to the sign-in: $status', async (failure) => {
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
    drawWith(rich, { answers: { removePhoneNumber: { ok: false, failure } } });
    await press('remove-phone-number');
    await submit();
    expect(assign).toHaveBeenCalledWith('/proof/confirm');
    expect(row('phone').querySelector('[role=alert]')?.textContent).toBeFalsy();
    assign.mockRestore();
  });

  test.each(removals)(
    '%s that a site forbids says so in its row and returns the focus',
    async (name, call, id) => {
      const changed = name === 'remove-passkey' ? 'passkey p' : id;
      const failure = { ok: false, failure: { kind: 'handled', status: 401, code: 'site_requires_mfa' } };
      drawWith(rich, { answers: { [call]: failure } });
      await press(name);
      await submit();
      expect(row(changed).querySelector('[role=alert]')?.textContent).toMatch(
        /^One of your boards (also )?asks for/,
      );
      expect(document.activeElement).toBe(action(name));
    },
  );
});

describe('Escape', () => {
  test.each<[string, FrameAction, string]>([
    ['the question of a removal', 'remove-phone-number', 'main form'],
    ['the question before other devices are signed out', 'end-other-sessions', 'main form'],
    ['the name of a passkey', 'rename-passkey', 'input[name=name]'],
    ['the entry of a phone number', 'set-phone-number', 'input[name=phoneNumber]'],
    ['the first step of an app', 'set-up-app', '[data-row="app"] form'],
  ])('closes %s and returns the focus to its button', async (_, name, opened) => {
    drawWith(rich, { answers: { offerAuthenticatorApp } });
    await press(name);
    await vi.waitFor(() => requireElement(opened));
    pressEscape();
    expect(document.querySelector('main form')).toBeNull();
    expect(document.activeElement).toBe(action(name));
  });

  test('does not close a form while it ends the input of a character', async () => {
    drawWith(rich);
    await press('rename-passkey');
    pressEscape({ isComposing: true });
    expect(document.activeElement).toBe(requireElement('input[name=name]'));
  });

  test('does not discard a requested code', async () => {
    const sent = { suffix: '77', codeValidityInMinutes: 10, nextCodeInSeconds: 30 };
    drawWith(rich, { answers: { sendPhoneNumberCode: { ok: true, answer: sent } } });
    await sendNumber('+44 20 7946 0777');
    pressEscape();
    expect(document.activeElement).toBe(requireElement('input[name=code-1]'));
  });
});

test('a phone number without its country code is not sent, and stays for a correction', async () => {
  const called = drawWith(rich);
  await sendNumber('020 7946 0777');
  expect(called).not.toContain('sendPhoneNumberCode');
  expect(row('phone').textContent).toContain('Begin with + and the country code.');
  expect(requireElement<HTMLInputElement>('input[name=phoneNumber]').value).toBe('020 7946 0777');
});

test('a phone number to which a code was sent can be corrected', async () => {
  const sent = { suffix: '77', codeValidityInMinutes: 10, nextCodeInSeconds: 30 };
  drawWith(rich, { answers: { sendPhoneNumberCode: { ok: true, answer: sent } } });
  await sendNumber('+44 20 7946 0777');
  await press('change-phone-number');
  const field = requireElement<HTMLInputElement>('input[name=phoneNumber]');
  expect([field.value, document.activeElement]).toEqual(['+44 20 7946 0777', field]);
});

const alerts = (): string =>
  [...row('phone').querySelectorAll('[role=alert]')].map(({ textContent }) => textContent).join('');

test('a code for a phone number that is requested too early shows the wait, and no error', async () => {
  const failed = { kind: 'handled', status: 429, code: 'rate_limit_reached', retryAfterSeconds: 20 };
  drawWith(rich, {
    answers: { sendPhoneNumberCode: { ok: false, failure: { ...failed, receivedAtMs: 0 } } },
  });
  vi.spyOn(performance, 'now').mockReturnValue(0);
  await sendNumber('+44 20 7946 0777');
  expect(alerts()).toBe('');
  expect(row('phone').querySelector('form')?.textContent).toContain('a new code in 20 seconds');
  expect(row('phone').querySelector('[aria-live]')?.textContent).toContain('in 20 seconds');
});

test('too many incorrect codes for a phone number leave only a button to sign in again', async () => {
  const failed = { kind: 'handled', status: 401, code: 'mfa_max_attempts_exceeded' };
  drawWith(rich, { answers: { sendPhoneNumberCode: { ok: false, failure: failed } } });
  await sendNumber('+44 20 7946 0777');
  expect(alerts()).toContain('Too many incorrect codes');
  expect(row('phone').querySelector('form')).toBeNull();
  expect(document.activeElement).toBe(action('prove-again'));
});

describe('ending sessions and forgetting devices', () => {
  const questions: [FrameAction, string, Partial<PresentAccount>][] = [
    ['end-other-sessions', 'endOtherSessions', {}],
    ['end-other-sessions', 'endOtherSessions', { isLimited: true }],
    ['forget-computers', 'forgetComputers', { rememberedComputers: 2 }],
  ];
  test.each(questions)(
    '%s asks in its row first, and does nothing if the user cancels: %#',
    async (name, call, more) => {
      const called = drawWith(accountOf(more));
      await press(name);
      expect(document.activeElement?.textContent).toMatch(/^(Sign out|Forget) .+\? .+\.$/);
      expect(action(name).getAttribute('aria-expanded')).toBe('true');
      await press('cancel');
      expect(document.activeElement).toBe(action(name));
      expect(called).not.toContain(call);
    },
  );

  test('the row of the remembered devices stays until the next load, with the focus and the message', async () => {
    const after = accountOf({ rememberedComputers: 0 });
    drawWith(accountOf({ rememberedComputers: 2 }), { after });
    await press('forget-computers');
    await submit();
    expect(document.activeElement).toBe(titleOf('computers'));
    expect(row('computers').textContent).toContain('we ask for a code on all your devices');
    await press('end-session');
    expect(row('computers').textContent).toContain('No device is remembered.');
  });

  test('the buttons of two devices with one name are described by their last activity', () => {
    const other = { ...session, isPresent: false, browser: 'Chrome (Linux)' };
    const lastSeen = ['2026-11-19T08:00:00Z', '2026-11-20T08:00:00Z'];
    drawAccount({ sessions: [session, ...lastSeen.map((at) => ({ ...other, id: at, lastSeenAt: at }))] });
    const descriptions = [...document.querySelectorAll('[data-action=end-session]')].map((button) =>
      (button.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(' '),
    );
    expect(descriptions).toEqual([
      'Corp Last active: 19 November 2026 at 08:00',
      'Corp Last active: 20 November 2026 at 08:00',
    ]);
  });

  test('puts focus and message at the row of this browser', async () => {
    drawWith(rich, { after: { ...rich, sessions: [session] } });
    action('end-session').focus();
    await press('end-session');
    await act(async () => {});
    expect(document.activeElement).toBe(titleOf('session a'));
    expect(row('session a').textContent).toContain('That browser is signed out.');
  });
});

describe('the summary', () => {
  test('lists how the user signs in', async () => {
    drawWith(rich);
    await act(async () => {});
    expect(requireElement('[data-summary]').textContent.replaceAll(/[\u2060\u2066-\u2069]/g, '')).toContain(
      'You sign in with: password, authenticator app, text message to …42, and passkey',
    );
  });

  test('the next step presses the button of its row', async () => {
    const called = drawWith({
      ...rich,
      authenticatorApp: { setUpAt: '2026-05-11T10:00:00Z', recoveryCodesLeft: 1 },
    });
    await press('next-step');
    expect(called).toContain('makeRecoveryCodes');
  });

  test('the next step moves the focus to the row that shows its messages', async () => {
    drawWith({ ...rich, passkeys: [] });
    await press('next-step');
    expect(row('passkeys').contains(document.activeElement)).toBe(true);
    expect(row('passkeys').querySelector('[role=alert]')?.textContent).toContain('cannot create passkeys');
  });

  const withoutApp = { ...rich, authenticatorApp: undefined };
  test('the next step moves the focus into its form when that is open already', async () => {
    drawWith(withoutApp, { answers: { offerAuthenticatorApp } });
    await press('set-up-app');
    await vi.waitFor(() => requireElement('[data-row="app"] form'));
    await press('next-step');
    expect(requireElement('[data-row="app"] [data-form]').contains(document.activeElement)).toBe(true);
  });

  test.each([
    ['a passkey, for a user without one', { ...rich, passkeys: [] }, 'create-passkey'],
    ['an app, for a user with a passkey and no app', withoutApp, 'set-up-app'],
    [
      'an app, for a user with a password alone, whom a passkey would keep out of other devices',
      { ...withoutApp, phoneNumber: undefined, passkeys: [] },
      'set-up-app',
    ],
    [
      'new recovery codes, for a user with few left',
      { ...rich, authenticatorApp: { setUpAt: '2026-05-11T10:00:00Z', recoveryCodesLeft: 3 } },
      'make-recovery-codes',
    ],
    ['nothing, for a user with all of these', rich, undefined],
    [
      'nothing that the service does not allow',
      { ...withoutApp, passkeys: [], mayAddPasskey: false, mayAddCodeFactor: false },
      undefined,
    ],
  ] satisfies [string, PresentAccount, string | undefined][])(
    'offers as the next step %s',
    (_, account, expected) => {
      expect(findNextStep(account)?.action).toBe(expected);
    },
  );

  test.each([
    ['a user with nothing left to set up', rich, true],
    ['a user with a next step', { ...rich, passkeys: [] }, false],
    [
      'a user who cannot set up more than a password',
      { ...withoutApp, passkeys: [], mayAddPasskey: false, mayAddCodeFactor: false },
      false,
    ],
  ] satisfies [string, PresentAccount, boolean][])(
    'says that the account is well protected only to %s: %#',
    (_, account, isSaid) => {
      drawWith(account);
      expect(requireElement('[data-summary]').textContent.includes('well protected')).toBe(isSaid);
    },
  );

  test('the row of the app does not repeat the words of the next step', () => {
    drawWith(withoutApp);
    expect([action('next-step'), action('set-up-app')].map((button) => button.textContent)).toEqual([
      'Set up an authenticator app',
      'Set up Authenticator app',
    ]);
  });
});

describe('the activity', () => {
  const event = (index: number) => ({ at: `2026-11-20T09:${10 + index}:00Z`, kind: 'signed-in' });
  const events = (count: number) => ({
    getAccountActivity: {
      ok: true,
      answer: { events: Array.from({ length: count }, (_, index) => event(index)) },
    },
  });
  const shown = (): number => document.querySelectorAll('[data-activity] li').length;

  test('shows the last five events, and all on request', async () => {
    drawWith(rich, { answers: events(7) });
    await act(async () => {});
    expect(shown()).toBe(5);
    await press('show-activity');
    expect(shown()).toBe(7);
    expect(document.activeElement).toBe(requireElement('[data-activity]'));
  });

  test('needs no button for five events', async () => {
    drawWith(rich, { answers: events(5) });
    await act(async () => {});
    expect([shown(), findAction('show-activity')]).toEqual([5, null]);
  });

  test('is read again after each change of the account', async () => {
    const called = drawWith(rich, { after: { ...rich } });
    await act(async () => {});
    await press('end-other-sessions');
    await submit();
    expect(called).toEqual(['getAccountActivity', 'endOtherSessions', 'getAccountActivity']);
  });

  test('that could not be loaded can be requested again', async () => {
    drawWith(rich, { answers: { getAccountActivity: { ok: false, failure: { kind: 'unreachable' } } } });
    await act(async () => {});
    expect(action('show-activity').textContent).toBe('Show activity');
  });
});

describe('the stored data', () => {
  test('is a page to read without empty members, whose back link returns to its row', async () => {
    const answer = {
      account: { userName: 'ada', lastSignInAt: '2026-11-20T08:05:00Z', email: null, status: 'active' },
      sessions: [{ methods: [{ method: 'pwd' }] }],
      auditEvents: [{ event: 'sign-out.notice' }],
      rememberedComputers: [],
      memberships: [{ site: 'corp', displayName: 'Corp Board' }],
      roles: [{ role: 'administrator', site: 'corp' }],
    };
    drawWith(rich, { answers: { getAccountData: { ok: true, answer } } });
    await press('show-data');
    await act(async () => {});
    expect(headings()).toEqual(['Account', 'Devices', 'Activity', 'Boards', 'Management roles']);
    const lines = [...document.querySelectorAll('dl > div')].map((line) =>
      [...line.children].map(({ textContent }) => textContent),
    );
    expect(lines).toEqual([
      ['User name', 'ada'],
      // A member that only another service has.
      ['Last sign in at', expect.stringContaining('20 November 2026')],
      ['Status', 'Active'],
      ['Confirmed with', 'Password'],
      ['Site name', 'corp'],
      ['Board', 'Corp Board'],
      ['Management role', 'Board office'],
      // Elsewhere, a board has its name.
      ['Board', 'Corp Board'],
    ]);
    expect(document.querySelector('main')?.textContent).toContain('Application notified of the sign-out');
    await press('back');
    expect(document.activeElement).toBe(action('show-data'));
  });
});

describe('the header', () => {
  test('signs out, and leads to the boards of the application or of the installation', async () => {
    drawWith(rich, { config: { homeUri: 'https://boards.example/' } });
    await act(async () => {});
    expect(action('sign-out').getAttribute('href')).toBe('/ui/account/logout');
    expect(action('back-to-boards').getAttribute('href')).toBe('https://boards.example/');
  });
});
