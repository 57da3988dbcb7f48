// @vitest-environment happy-dom
import type { AuthContext, AuthResponse } from '@anteroom/contract';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { click, enter, requireElement, requireMessages } from '../../ui/testing/draw.tsx';
import { contextOf, drawSignIn, returnUrl } from '../testing/draw-app.tsx';
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

// Test files share their modules, and other files must not load the group of texts that these tests need.
afterAll(() => void vi.resetModules());

type Listed = NonNullable<AuthResponse['secondFactors']>;
type Respond = (body: Record<string, unknown>) => Response;

const app = { name: 'totp' };
const phone = { name: 'sms', hint: '4271' };
const mailbox = { name: 'email', hint: 'd…r@demo.example' };
const passkey = { name: 'passkey' };
const recoveryCode = { name: 'recovery-code' };

const refusal = (status: number, code: string): Response => Response.json({ code }, { status });

/** Answers for texts and the calls of a passkey sign-in. */
function serve(calls: Readonly<Record<string, Respond>> = {}): void {
  vi.stubGlobal('fetch', (address: string, { body = '{}' }: { body?: string } = {}) => {
    const respond = calls[address.replace('/api/ui/passkey/', '')];
    const answer = respond?.(JSON.parse(body) as Record<string, unknown>);
    return Promise.resolve(answer ?? Response.json(requireMessages('en')));
  });
}

/** A browser with passkeys, whose prompt ends as given. */
function addPasskeys(get: () => Promise<unknown>): void {
  class Credential {
    static isConditionalMediationAvailable = (): Promise<boolean> => Promise.resolve(false);
    static parseRequestOptionsFromJSON = (options: unknown): unknown => options;
    toJSON = (): unknown => ({ id: 'p' });
  }
  vi.stubGlobal('PublicKeyCredential', Credential);
  vi.stubGlobal('navigator', { credentials: { get } });
}

/** Resolves once the check passes: parts load after the screen, and React renders them on its own. */
async function until<TFound>(check: () => TFound): Promise<TFound> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  const found = await vi.waitFor(check);
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  return found;
}

const untilShown = (selector: string): Promise<HTMLElement> => until(() => requireElement(selector));

async function drawFactors(
  secondFactors: Listed,
  more: Partial<AuthResponse> = {},
  { typed = 'ada', ...context }: Partial<AuthContext> & { typed?: string } = {},
): Promise<DrawnApp> {
  const drawn = await drawSignIn({ extensions: ['totp', 'factors'], ...context });
  type('userName', typed);
  type('password', 'secret');
  submit();
  await answerSignIn(drawn, { secondFactors, ...more });
  return drawn;
}

const answerSignIn = (drawn: DrawnApp, more: Partial<AuthResponse>): Promise<void> =>
  drawn.report({
    type: 'AUTH_ANSWERED',
    by: 'authenticate',
    time: { serviceTimeMs: 0, receivedAtMs: performance.now() },
    answer: { status: 'second_factor_required', ...more },
  });

/** The text of the page, without the word joiners in masked addresses. */
const page = (): string => requireElement('main').textContent.replaceAll('\u2060', '');
const offered = (): (string | undefined)[] =>
  [...document.querySelectorAll<HTMLElement>('main ul [data-action]')].map(
    (button) => button.dataset['action'],
  );
const failed = (code: 'invalid_credentials' | 'site_requires_mfa') =>
  ({ type: 'AUTH_FAILED', failure: { kind: 'handled', status: 400, code } }) as const;

function enterCode(): void {
  enter(field('code-1'), '123456');
  submit();
}

describe('a list of factors', () => {
  test('is asked for in its order, and the others are offered', async () => {
    serve();
    await drawFactors([app, phone, mailbox, recoveryCode]);
    await untilShown('[data-action=use-email]');
    expect(page()).toContain('Enter the code that your authenticator app shows');
    expect(offered()).toEqual(['use-text-message', 'use-email', 'use-recovery-code']);
    expect(page()).toContain('Code by e-mail to d…r@demo.example');
    expect(focusedName()).toBe('code-1');
  });

  test.each([
    ['masked if the visitor typed a user name', 'ada', 'Sent to d…r@demo.example'],
    ['masked if the visitor typed another address', 'dana@home.example', 'Sent to d…r@demo.example'],
    ['only as it was typed', 'Dana.Holder@demo.example', 'Sent to your e‑mail address.'],
  ])('the address of the e-mail is shown %s, with where else to look', async (_, typed, words) => {
    serve();
    await drawFactors([mailbox], {}, { typed });
    await untilShown('input[name=code-1]');
    expect(page()).toContain(words);
    expect(page()).toContain('Look in your spam folder too.');
  });

  test('with only a phone number shows the code boxes without further loading', async () => {
    serve();
    await drawFactors([phone]);
    expect(page()).toMatch(/ending in\s4271/);
    expect([offered(), focusedName()]).toEqual([[], 'code-1']);
  });

  test('shows the code by text message before the other ways have loaded, and keeps what was typed', async () => {
    const texts = Promise.withResolvers<Response>();
    vi.stubGlobal('fetch', async () => (await texts.promise).clone());
    await drawFactors([phone, passkey, recoveryCode]);
    enter(field('code-1'), '12');
    texts.resolve(Response.json(requireMessages('en')));
    await untilShown('[data-action=use-recovery-code]');
    expect([field('code-2').value, focusedName()]).toEqual(['2', 'code-3']);
  });

  test('with only a passkey has a neutral heading until the passkey can be used', async () => {
    serve();
    const hold = Promise.withResolvers<void>();
    vi.doMock('./factors/factor-parts.tsx', async (load) => {
      await hold.promise;
      return load();
    });
    onTestFinished(() => {
      vi.doUnmock('./factors/factor-parts.tsx');
    });
    addPasskeys(() => Promise.reject(new DOMException('cancelled', 'NotAllowedError')));
    await drawFactors([passkey]);
    expect(heading()).toBe('Confirm it is you');
    hold.resolve();
    await untilShown('[data-action=use-passkey]');
    expect(heading()).toBe('Confirm it is you with your passkey');
  });

  test('names the factor of each code, and no factor for a recovery code', async () => {
    serve();
    const drawn = await drawFactors([app, phone, mailbox, recoveryCode]);
    await untilShown('[data-action=use-email]');
    enterCode();
    await drawn.report(failed('invalid_credentials'));
    for (const way of ['use-text-message', 'use-email']) {
      click(action(way));
      expect(alerts()).toBe('');
      enterCode();
      await drawn.report(failed('invalid_credentials'));
    }
    click(action('use-recovery-code'));
    expect(focusedName()).toBe('recoveryCode');
    type('recoveryCode', 'abcd efgh ijkl mnop');
    submit();
    expect(drawn.calls('verifyMfaCode').map(({ body }) => [body.code, body.factor])).toEqual([
      ['123456', 'totp'],
      ['123456', 'sms'],
      ['123456', 'email'],
      ['ABCDEFGHIJKLMNOP', undefined],
    ]);
  });

  test('with names that the page does not know says where to get help', async () => {
    await drawFactors([{ name: 'voice' }]);
    expect(page()).toContain('none that works here is set up for you');
    expect([findAction('start-again'), findAction('global-support')]).not.toContain(null);
  });

  test('starts with its new first factor if the service asks again', async () => {
    serve();
    const drawn = await drawFactors([app, phone]);
    click(await untilShown('[data-action=use-text-message]'));
    await answerSignIn(drawn, { secondFactors: [mailbox, app] });
    await untilShown('[data-action=use-app]');
    expect(page()).toContain('Sent to d…r@demo.example');
  });

  test('ends with a restart of the sign-in as another user', async () => {
    serve();
    const drawn = await drawFactors([passkey, app]);
    click(await untilShown('[data-action=start-again]'));
    await drawn.report(
      { type: 'CONTEXT_LOADED', context: contextOf() },
      { type: 'SITE_SETTINGS_LOADED', answer: { allowPasswordEntry: true } },
    );
    expect([step(), field('userName').value]).toEqual(['credentials', '']);
  });
});

test.each([
  [30, false],
  [61, true],
])('the other ways of a user who waits %i s for a code are open: %s', async (nextCodeInSeconds, isOpen) => {
  serve();
  await drawFactors([phone, app, mailbox], { codeSent: false, nextCodeInSeconds });
  const ways = (await untilShown('[data-action=use-app]')).closest('details');
  expect(ways?.open).toBe(isOpen);
});

// The countdowns run in real time.
describe('a code by e-mail', () => {
  test('shows the masked address, its own texts, and no phone number', async () => {
    serve();
    const drawn = await drawFactors([mailbox], { mfaCodeValidityInMinutes: 10, nextCodeInSeconds: 40 });
    await untilShown('input[name=code-1]');
    expect(page()).toMatch(/Sent to d…r@demo\.example\. Valid for 10 minutes\./);
    expect(page()).toMatch(/You can request a new code in [34]\d seconds/);
    expect(page()).toContain('No access to this mailbox? Your board office can help.');
    expect([findAction('phone-number-info'), focusedName()]).toEqual([null, 'code-1']);
    submit();
    expect(alerts()).toBe('Enter the code from the e‑mail.');
    enterCode();
    await drawn.report(failed('invalid_credentials'));
    expect(alerts()).toBe('This code is incorrect. Check the newest e‑mail.');
  });

  test('is requested once when the user chooses it, and a code that was sent stays sent', async () => {
    serve();
    const drawn = await drawFactors([phone, mailbox], { nextCodeInSeconds: 30 });
    click(await untilShown('[data-action=use-email]'));
    expect(drawn.calls('resendMfaCode')).toMatchObject([{ body: { factor: 'email' } }]);
    const resent = { retryAfterSeconds: 50, serviceTimeMs: 0, receivedAtMs: performance.now() };
    await drawn.report({ type: 'CODE_RESENT', resent, factor: 'email' });
    expect(page()).toContain('Sent to d…r@demo.example');
    expect(page()).toMatch(/in [45]\d seconds/);
    click(action('use-text-message'));
    expect(page()).toMatch(/Sent to your phone ending in\s4271/);
    expect(page()).toMatch(/in [23]\d seconds/);
    click(action('use-email'));
    expect(drawn.calls('resendMfaCode')).toHaveLength(1);
  });
});

describe('a passkey as the second factor', () => {
  const options = { 'sign-in-options': () => Response.json({ options: { challenge: 'YQ' } }) };

  test('continues the sign-in with its answer', async () => {
    const sent: unknown[] = [];
    serve({
      ...options,
      'sign-in': (body) => {
        sent.push(body);
        return Response.json({ status: 'redirect', location: 'https://app.example/' });
      },
    });
    addPasskeys(() => Promise.resolve(new PublicKeyCredential()));
    const drawn = await drawFactors([passkey, app]);
    const button = await untilShown('button[data-action=use-passkey]');
    expect([heading(), button.getAttribute('type')]).toEqual([
      'Confirm it is you with your passkey',
      'submit',
    ]);
    expect(document.activeElement?.textContent).toBe(heading());
    submit();
    await until(() => expect(drawn.state().leavingTo).toBe('https://app.example/'));
    expect(sent).toEqual([{ returnUrl, site: 'acme', credential: { id: 'p' } }]);
  });

  test.each([
    [
      'cancelled',
      () => Promise.reject(new DOMException('', 'NotAllowedError')),
      'Try again, here or on the device',
    ],
    [
      'failed',
      () => Promise.reject(new DOMException('', 'SecurityError')),
      'The passkey did not work. Try again.',
    ],
  ])('stays on the step if it is %s, and says what to do next', async (_, get, words) => {
    serve(options);
    addPasskeys(get);
    await drawFactors([passkey, app]);
    await untilShown('button[data-action=use-passkey]');
    submit();
    await until(() => expect(alerts()).toContain(words));
    expect([step(), offered()]).toEqual(['second-factor-required', ['use-app']]);
    expect(page()).not.toContain('sign in with your password');
  });

  test.each([
    ['invalid_credentials', 'Choose another passkey.'],
    ['mfa_token_expired', 'That took too long. Try again.'],
    ['site_requires_mfa', 'none that works here is set up for you'],
  ])('stays on the step if the service answers %s', async (code, words) => {
    serve({ ...options, 'sign-in': () => refusal(401, code) });
    addPasskeys(() => Promise.resolve(new PublicKeyCredential()));
    await drawFactors([passkey]);
    await untilShown('button[data-action=use-passkey]');
    submit();
    await until(() => expect(alerts()).toContain(words));
    expect(step()).toBe('second-factor-required');
  });

  test('is skipped in a browser without passkeys', async () => {
    serve();
    const drawn = await drawFactors([passkey, phone, recoveryCode]);
    await untilShown('[data-action=use-recovery-code]');
    expect([offered(), focusedName()]).toEqual([['use-recovery-code'], 'code-1']);
    // No message was sent for a sign-in that asks for a passkey first.
    expect(drawn.calls('resendMfaCode')).toMatchObject([{ body: { factor: undefined } }]);
  });

  test('that is the only factor names the right device in a browser without passkeys', async () => {
    serve();
    await drawFactors([passkey]);
    await until(() => expect(page()).toContain('Sign in on a device that has your passkey'));
    expect([findAction('use-passkey'), findAction('start-again') === null]).toEqual([null, false]);
    expect(page()).toContain('No access to your passkey? Your board office can help.');
  });

  test('is asked for after the password on the step-up page, which can still be left', async () => {
    serve();
    addPasskeys(() => new Promise(() => {}));
    const drawn = await drawSignIn({
      promptMethod: 'elevate',
      userName: 'ada',
      session: { state: 'valid', authSite: 'acme', isExternallyAuthenticated: false },
    });
    type('password', 'secret');
    submit();
    await answerSignIn(drawn, { secondFactors: [passkey, phone] });
    await untilShown('button[data-action=use-passkey]');
    expect([step(), offered()]).toEqual(['second-factor-required', ['use-text-message']]);
    click(action('back-to-boards'));
    await drawn.report();
    expect(drawn.effects('leave')).toEqual([{ type: 'leave', location: 'https://app.example/cancel' }]);
  });
});

describe('the sign-in with a password at a site that asks for more', () => {
  test.each([
    ['credentials', {}],
    [
      'elevate',
      {
        promptMethod: 'elevate',
        userName: 'ada',
        session: { state: 'valid', authSite: 'acme', isExternallyAuthenticated: false },
      },
    ],
  ] as const)('names the passkey as the way on, on the page %s', async (name, context) => {
    serve();
    addPasskeys(() => new Promise(() => {}));
    const drawn = await drawSignIn({ extensions: ['passkeys'], ...context });
    await untilShown('[data-action=use-passkey]');
    expect(page()).not.toContain('If you have a passkey');
    if (name === 'credentials') type('userName', 'ada');
    type('password', 'secret');
    submit();
    await drawn.report(failed('site_requires_mfa'));
    expect(step()).toBe(name);
    expect(alerts()).toContain('none that works here is set up for you');
    expect(page()).toContain('If you have a passkey, sign in with it.');
  });

  test('shows a refused passkey in the form, and no error page', async () => {
    serve({
      'sign-in-options': () => Response.json({ options: { challenge: 'YQ' } }),
      'sign-in': () => refusal(401, 'site_requires_mfa'),
    });
    addPasskeys(() => Promise.resolve(new PublicKeyCredential()));
    await drawSignIn({ extensions: ['passkeys'] });
    click(await untilShown('[data-action=use-passkey]'));
    await until(() => expect(alerts()).toContain('none that works here is set up for you'));
    expect(step()).toBe('credentials');
  });
});
