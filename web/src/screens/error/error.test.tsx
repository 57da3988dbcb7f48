// @vitest-environment happy-dom
import type { ErrorRecord } from '@anteroom/contract';
import { act } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { requireElement } from '../../ui/testing/draw.tsx';
import { drawApp, returnUrl } from '../testing/draw-app.tsx';
import type { DrawnApp } from '../testing/draw-app.tsx';
import { focusedName, heading, step } from '../testing/page.ts';

function drawError(record?: ErrorRecord, back?: string): Promise<DrawnApp> {
  return drawApp({ entry: { kind: 'error', errorId: 'one' }, returnUrl: back }, [
    { type: 'ERROR_RECORD_LOADED', record },
  ]);
}

/** Names and values; copy buttons and local times stand beside the values. */
const lines = (): string[][] =>
  [...requireElement('main').querySelectorAll('dl > div')].map((line) =>
    [...line.querySelectorAll('bdi')].map(({ textContent }) => textContent),
  );

describe('without a record', () => {
  test('the generic headings, the id of the visit and the time; the focus on the heading', async () => {
    await drawError();
    expect([step(), heading(), focusedName()]).toEqual(['error', 'Something went wrong', 'H2']);
    const [id, time] = lines();
    expect(id).toEqual(['Correlation Id', 'correlation-1']);
    expect(time?.[1]).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });
});

test('for a visitor who has to wait, the page says so', async () => {
  await drawError({ error: 'rate_limit_reached' });
  expect(requireElement('main').textContent).toContain('There were too many requests. Wait a moment');
});

describe('with a record', () => {
  const record = {
    error: 'invalid_request',
    errorDescription: 'No such client.',
    errorData: { Client: 'director', Attempt: 3 },
    correlationId: 'correlation-2',
    timestamp: '2026-01-02T03:04:05Z',
  };

  test('correlation id and time first, then the data, then code and description', async () => {
    await drawError(record);
    expect(lines()).toEqual([
      ['Correlation Id', 'correlation-2'],
      ['Time (UTC)', '2026-01-02T03:04:05Z'],
      ['Client', 'director'],
      ['Attempt', '3'],
      ['Error code', 'invalid_request'],
    ]);
    expect(requireElement('main section').textContent).toMatch(/No such client\.$/);
  });

  test('what the service says is in no known language, what we name in that of the page', async () => {
    await drawError(record);
    const marked = [...requireElement('main').querySelectorAll('dt')].map((name) => [
      name.textContent,
      name.closest('[lang]')?.getAttribute('lang'),
    ]);
    expect(marked).toEqual([
      ['Correlation Id', 'en'],
      ['Time (UTC)', 'en'],
      ['Client', ''],
      ['Attempt', ''],
      ['Error code', 'en'],
    ]);
    const said = [...requireElement('main').querySelectorAll('dd, section > div')];
    expect(said.map((words) => words.closest('[lang]')?.getAttribute('lang'))).toEqual(said.map(() => ''));
  });

  test('what it holds is text, whatever it looks like', async () => {
    await drawError({ error: '<img src=x>', errorData: { '<b>name</b>': '<script>1</script>' } });
    expect(lines()).toContainEqual(['<b>name</b>', '<script>1</script>']);
    expect(requireElement('main').querySelector('img[src="x"], script, b')).toBeNull();
  });

  test('an empty id and time are none: the visit’s own stand there, so that no line and no copy is empty', async () => {
    await drawError({ error: 'invalid_request', correlationId: '', timestamp: '' });
    const [id, time] = lines();
    expect(id).toEqual(['Correlation Id', 'correlation-1']);
    expect(time?.[1]).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  test('a person who is not registered is told by which e-mail and claim', async () => {
    await drawError({
      error: 'user_login_email_not_found',
      errorData: { 'Email Address': 'ada@corp.example', 'Claim Name': 'mail' },
    });
    expect(heading()).toBe('We could not find your account');
    expect(requireElement('main').textContent).toContain('signed you in as ada@corp.example (from mail)');
  });

  test.each([undefined, { 'Email Address': 'ada@corp.example' }, { 'Claim Name': 'mail' }])(
    'a person who is not registered reads no sentence with holes when the record says no more than %j',
    async (errorData) => {
      await drawError({ error: 'user_login_email_not_found', errorData });
      expect(heading()).toBe('We could not find your account');
      expect(requireElement('main').textContent).toContain('Start again from your board portal.');
      expect(requireElement('main').textContent).not.toContain('signed you in as');
    },
  );

  test('a sign-in without an e-mail keeps the generic heading and says what is missing', async () => {
    await drawError({ error: 'email_claim_not_found' });
    expect(heading()).toBe('Something went wrong');
    expect(requireElement('main').textContent).toContain('without telling us your e‑mail');
  });
});

describe('what the page itself knows', () => {
  const facts = (): unknown[] => [
    heading(),
    requireElement('main a').textContent,
    requireElement<HTMLAnchorElement>('main a').pathname,
  ];
  const arrival = { entry: { kind: 'login' }, returnUrl } as const;
  const notFound = { kind: 'unexpected', status: 404 } as const;
  const config = {
    type: 'CONFIG_LOADED',
    config: { homeUri: '/boards', globalSupportUrl: '/help' },
  } as const;

  test.each([
    ['the boards', config.config, 'Go to your boards', '/boards'],
    ['support where no start page is named', { globalSupportUrl: '/help' }, 'Support', '/help'],
  ] as const)('an unknown address leads to %s', async (_where, known, words, path) => {
    const entry = { kind: 'error', errorId: undefined, reason: 'address' } as const;
    await drawApp({ entry }, [{ type: 'CONFIG_LOADED', config: known }]);
    expect(facts()).toEqual(['There is no page at this address', words, path]);
  });

  test('an expired sign-in starts again', async () => {
    await drawApp(arrival, [config, { type: 'CONTEXT_FAILED', failure: notFound }]);
    expect(facts()).toEqual(['This sign-in has expired', 'Start again', '/connect/authorize/one']);
  });

  test('a missing cookie is explained with the host that must be allowed to keep it', async () => {
    await drawApp(arrival, [config, { type: 'CONTEXT_FAILED', failure: notFound, lacksCookies: true }]);
    expect(facts()).toEqual(['Your browser did not keep a cookie', 'Start again', '/connect/authorize/one']);
    expect(requireElement('main').textContent).toContain(`Allow cookies for ${location.host}`);
  });
});

describe('for support', () => {
  test('the correlation id is copied, and readers hear it', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await drawError();
    const button = requireElement<HTMLButtonElement>('main dd button');
    expect(button.textContent).toBe('Copy');
    await act(async () => button.click());
    expect(writeText).toHaveBeenCalledWith('correlation-1');
    expect(button.textContent).toBe('Copied');
    expect(requireElement('main dd [aria-live]').textContent).toBe('Copied');
  });

  test('the time stands in UTC and, in the page’s language, in the visitor’s zone', async () => {
    await drawError({ timestamp: '2026-01-02T03:04:05Z' });
    const time = requireElement<HTMLTimeElement>('main time');
    expect(time.dateTime).toBe('2026-01-02T03:04:05Z');
    const local = new Date('2026-01-02T03:04:05Z').toLocaleString('en', {
      dateStyle: 'long',
      timeStyle: 'long',
    });
    expect(time.textContent).toBe(local);
  });

  test('what is no time stays as it came', async () => {
    await drawError({ timestamp: 'yesterday' });
    expect(lines()[1]).toEqual(['Time (UTC)', 'yesterday']);
    expect(document.querySelector('main time')).toBeNull();
  });
});

describe('starting again', () => {
  const startAgain = (): string | null | undefined =>
    [...document.querySelectorAll('main a')]
      .find((link) => link.textContent === 'Start again')
      ?.getAttribute('href');

  test('leads to the return address', async () => {
    await drawError(undefined, returnUrl);
    expect(startAgain()).toBe(`${location.origin}${returnUrl}`);
  });

  test.each(['https://evil.example/', '//evil.example/', 'javascript:alert(1)'])(
    'never to %s, which anybody may have written into the address',
    async (address) => {
      await drawError(undefined, address);
      expect(startAgain()).toBeUndefined();
    },
  );
});
