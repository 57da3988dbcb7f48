// @vitest-environment happy-dom
import type { AuthContext } from '@anteroom/contract';
import { act } from 'react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Effect } from '../../flow/effects.ts';
import { createFlow } from '../../flow/store.ts';
import type { Flow } from '../../flow/store.ts';
import { toCredentials } from '../../flow/testing.ts';
import { click, draw } from '../../ui/testing/draw.tsx';
import { useFlow, VisitProvider } from '../flow-context.tsx';
import { returnUrl } from '../testing/draw-app.tsx';
import { action } from '../testing/page.ts';
import { PasskeyButton } from './PasskeyButton.tsx';

// The prompts of the browser, each pending until the test answers it.

interface Prompt {
  isFilledIn: boolean;
  signal: AbortSignal;
  answer: (error?: DOMException) => void;
}

const fourMinutesMs = 4 * 60 * 1000;
let prompts: Prompt[];
/** Where the chosen passkey is. */
let attachment: string;
/** Answers to the verification of a passkey. */
let verify: () => Promise<Response>;
/** The problems that the button has reported. */
const problems: (string | undefined)[] = [];

class Passkey {
  static isConditionalMediationAvailable = (): Promise<boolean> => Promise.resolve(true);
  static parseRequestOptionsFromJSON = (): object => ({});
  toJSON = (): object => ({ id: 'one', authenticatorAttachment: attachment });
}

function get({ signal, mediation }: CredentialRequestOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (!signal) throw new Error('A prompt has a signal');
    signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    const answer = (error?: DOMException): void => (error ? reject(error) : resolve(new Passkey()));
    prompts.push({ isFilledIn: mediation === 'conditional', signal, answer });
  });
}

beforeEach(() => {
  prompts = [];
  attachment = 'platform';
  localStorage.clear();
  problems.length = 0;
  verify = () => Promise.resolve(Response.json({ status: 'redirect' }));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => vi.useRealTimers());

const settle = (): Promise<void> =>
  act(async () => {
    await new Promise(setImmediate);
  });

interface Drawn {
  send: Flow['send'];
  state: Flow['store']['getState'];
  effects: () => Effect[];
}

function Screen(): ReactNode {
  return (
    useFlow(({ page }) => page === 'credentials' || page === 'elevate') && (
      <PasskeyButton onProblem={(problem) => problems.push(problem)} />
    )
  );
}

async function drawButton(context?: Partial<AuthContext>): Promise<Drawn> {
  vi.stubGlobal('PublicKeyCredential', Passkey);
  Object.defineProperty(navigator, 'credentials', { value: { get }, configurable: true });
  vi.stubGlobal('fetch', (address: string) =>
    address.includes('sign-in-options')
      ? Promise.resolve(Response.json({ options: { challenge: 'one' } }))
      : verify(),
  );
  const effects: Effect[] = [];
  const { store, send } = createFlow({ entry: { kind: 'login' }, returnUrl }, (effect) =>
    effects.push(effect),
  );
  for (const event of toCredentials(context)) send(event);
  const correlation = {
    id: 'one',
    nextHeaders: () => ({ 'X-Correlation-Id': 'one.1', CorrelationId: 'one' }),
  };
  draw(
    <VisitProvider flow={{ store, send }} correlation={correlation}>
      <Screen />
    </VisitProvider>,
  );
  await settle();
  return { send: (event) => act(() => send(event)), state: store.getState, effects: () => effects };
}

async function press(): Promise<void> {
  click(action('use-passkey'));
  await settle();
}

async function passTime(): Promise<void> {
  act(() => void vi.advanceTimersByTime(2 * fourMinutesMs));
  await settle();
}

const open = (): Prompt[] => prompts.filter(({ signal }) => !signal.aborted);

test('the button asks a user who is signed in to confirm, not to sign in', async () => {
  await drawButton({
    promptMethod: 'elevate',
    userName: 'ada',
    session: { state: 'valid', authSite: 'harbor', isExternallyAuthenticated: false },
  });
  expect(action('use-passkey').textContent).toBe('Confirm with a passkey');
});

test('autofill gets a new challenge before it expires', async () => {
  await drawButton();
  await passTime();
  expect(prompts.length).toBeGreaterThan(1);
  expect(open()).toMatchObject([{ isFilledIn: true }]);
});

test('the renewal of autofill leaves the visitor’s own prompt, whose passkey signs in', async () => {
  const app = await drawButton();
  await press();
  await passTime();
  expect(open()).toMatchObject([{ isFilledIn: false }]);
  open()[0]?.answer();
  await settle();
  expect(app.effects()).toContainEqual(expect.objectContaining({ timer: 'post-login-redirect' }));
});

test('autofill is offered again after the visitor’s prompt is cancelled', async () => {
  await drawButton();
  await press();
  open()[0]?.answer(new DOMException('cancelled', 'NotAllowedError'));
  await settle();
  expect(problems).toEqual([undefined, 'passkey.errors.cancelled']);
  expect(open().at(-1)?.isFilledIn).toBe(true);
});

test('a renewal while the service verifies a passkey leaves the button usable afterwards', async () => {
  await drawButton();
  let answer: (response: Response) => void = () => {};
  verify = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  open()[0]?.answer();
  await settle();
  expect(document.body.textContent).toContain('Signing you in.');
  expect(action('use-passkey').getAttribute('aria-disabled')).toBe('true');
  await passTime();
  answer(Response.json({ code: 'invalid_credentials' }, { status: 401 }));
  await settle();
  expect(problems.at(-1)).toBe('passkey.errors.unknown');
  await press();
  expect(open().at(-1)?.isFilledIn).toBe(false);
});

test('a failed verification stays on the page and has a visible answer', async () => {
  const app = await drawButton();
  verify = () => Promise.resolve(Response.json({ code: 'internal_error' }, { status: 500 }));
  open()[0]?.answer();
  await settle();
  expect(app.state()).toMatchObject({ page: 'credentials', notifications: [{ level: 'error' }] });
});

test('leaving the screen closes the visitor’s prompt', async () => {
  const app = await drawButton();
  await press();
  const [prompt] = open();
  app.send({ type: 'BACK_TO_SITE' });
  expect(prompt?.signal.aborted).toBe(true);
});

describe('the note that a passkey was used last on this device', () => {
  const key = 'anteroom_passkey_last';
  const isNoted = (): boolean => localStorage.getItem(key) !== null;
  const isShown = (): boolean => document.body.textContent.includes('Last used on this device');

  test.each([
    ['platform', true],
    ['cross-platform', false],
  ])(
    'is stored after a sign-in with a passkey of this device, not of a phone: %s',
    async (where, expected) => {
      attachment = where;
      await drawButton();
      expect(isShown()).toBe(false);
      await press();
      open()
        .find(({ isFilledIn }) => !isFilledIn)
        ?.answer();
      await settle();
      expect(isNoted()).toBe(expected);
    },
  );

  test.each([
    ['an accepted password, before the code', { status: 'second_factor_required' }, false],
    ['an accepted password', { status: 'redirect', location: 'https://a.example/' }, false],
    ['a wrong password, which keeps it', undefined, true],
  ] as const)('is shown, and deleted by %s', async (_, answer, expected) => {
    localStorage.setItem(key, '1');
    const { send } = await drawButton();
    expect(isShown()).toBe(true);
    const by = 'authenticate';
    send({ type: 'SIGN_IN', userName: 'ada', password: 'secret' });
    if (answer) send({ type: 'AUTH_ANSWERED', by, answer });
    else
      send({
        type: 'AUTH_FAILED',
        failure: { kind: 'handled', status: 401, code: 'invalid_credentials' },
      });
    expect(isNoted()).toBe(expected);
  });
});
