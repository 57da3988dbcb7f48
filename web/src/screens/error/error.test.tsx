// @vitest-environment happy-dom
import type { ErrorRecord, Locale } from '@anteroom/contract';
import { act } from 'react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { noteServiceTime } from '../../api/service-time.ts';
import { click, requireElement } from '../../ui/testing/draw.tsx';
import { contextOf, drawApp, returnUrl } from '../testing/draw-app.tsx';
import type { DrawnApp } from '../testing/draw-app.tsx';
import { action, focusedName, heading, step } from '../testing/page.ts';

function drawError(record?: ErrorRecord, back?: string, locale?: Locale): Promise<DrawnApp> {
  return drawApp(
    { entry: { kind: 'error', errorId: 'one' }, returnUrl: back },
    [{ type: 'ERROR_RECORD_LOADED', record }],
    locale,
  );
}

/** Names and values, without the copy button beside one of them. */
const lines = (): string[][] =>
  [...requireElement('main').querySelectorAll('dl > div')].map((line) =>
    [...line.querySelectorAll('dt, dd > :first-child')].map(({ textContent }) => textContent),
  );

describe('without a record', () => {
  test('shows the generic headings, the correlation id and the time, with the focus on the heading [2.68, 3.5]', async () => {
    noteServiceTime(Date.parse('2001-02-03T04:05:06Z'), performance.now());
    onTestFinished(() => noteServiceTime(Date.now(), performance.now()));
    await drawError();
    expect([step(), heading(), focusedName()]).toEqual(['error', 'Something went wrong', 'H2']);
    const [id, time] = lines();
    expect(id).toEqual(['Correlation ID', 'correlation-1']);
    // the clock of the service, not of the visitor
    expect(time?.[1]).toMatch(/^2001-02-03T04:.*Z$/);
  });
});

test('asks a rate-limited visitor to wait', async () => {
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

  test('correlation id and time come first, then the data, then code and description [2.69]', async () => {
    await drawError(record);
    expect(lines()).toEqual([
      ['Correlation ID', 'correlation-2'],
      ['Time (UTC)', '2026-01-02T03:04:05Z'],
      ['Client', 'director'],
      ['Attempt', '3'],
      ['Error code', 'invalid_request'],
      ['Message', 'No such client.'],
    ]);
  });

  test('texts of the service have an unknown language, labels that of the page [WCAG 3.1.2]', async () => {
    await drawError(record);
    const marked = [...requireElement('main').querySelectorAll('dt')].map((name) => [
      name.textContent,
      name.closest('[lang]')?.getAttribute('lang'),
    ]);
    expect(marked).toEqual([
      ['Correlation ID', 'en'],
      ['Time (UTC)', 'en'],
      ['Client', ''],
      ['Attempt', ''],
      ['Error code', 'en'],
      ['Message', 'en'],
    ]);
    const serviceTexts = [...requireElement('main').querySelectorAll('dd')];
    expect(serviceTexts.map((words) => words.closest('[lang]')?.getAttribute('lang'))).toEqual(
      serviceTexts.map(() => ''),
    );
  });

  test('names that the specification knows are in the language of the page', async () => {
    const errorData = { 'Email Address': 'ada@corp.example', 'Claim Name': 'mail', Client: 'd' };
    await drawError({ errorData }, undefined, 'de');
    expect(
      lines()
        .slice(2)
        .map(([name]) => name),
    ).toEqual(['E-Mail-Adresse', 'Attribut', 'Client']);
  });

  test('values are rendered as text [8.19, S07]', async () => {
    await drawError({ error: '<img src=x>', errorData: { '<b>name</b>': '<script>1</script>' } });
    expect(lines()).toContainEqual(['<b>name</b>', '<script>1</script>']);
    expect(requireElement('main').querySelector('img[src="x"], script, b')).toBeNull();
  });

  test('an empty id or time is replaced by that of the visit [3.9]', async () => {
    await drawError({ error: 'invalid_request', correlationId: '', timestamp: '' });
    const [id, time] = lines();
    expect(id).toEqual(['Correlation ID', 'correlation-1']);
    expect(time?.[1]).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  test('data of any kind is readable', async () => {
    await drawError({ ...record, timestamp: 'yesterday', errorData: { a: null, b: 7, c: { d: 1 } } });
    expect(requireElement('main').textContent).not.toMatch(/undefined|NaN|Invalid Date|\[object/);
  });

  test('an unregistered user sees the e-mail and claim of the sign-in [8.17]', async () => {
    await drawError({
      error: 'user_login_email_not_found',
      errorData: { 'Email Address': 'ada@corp.example', 'Claim Name': 'mail' },
    });
    expect(heading()).toBe('We could not find your account');
    expect(requireElement('main').textContent).toMatch(
      /signed you in as ada@corp\.example, .*For your IT department: claim mail\./,
    );
    const isolated = [...requireElement('main').querySelectorAll('bdi')].filter(
      (name) => !name.closest('dl'),
    );
    expect(isolated.map(({ textContent }) => textContent)).toEqual(['ada@corp.example', 'mail']);
  });

  test.each([undefined, { 'Email Address': 'ada@corp.example' }, { 'Claim Name': 'mail' }])(
    'an unregistered user sees the general heading if the record has only %j',
    async (errorData) => {
      await drawError({ error: 'user_login_email_not_found', errorData });
      expect(heading()).toBe('We could not find your account');
      expect(requireElement('main').textContent).toContain('Start again.');
      expect(requireElement('main').textContent).not.toContain('signed you in as');
    },
  );

  test('a sign-in without an e-mail address keeps the generic heading and says that the address is missing [8.18]', async () => {
    await drawError({ error: 'email_claim_not_found' });
    expect(heading()).toBe('Something went wrong');
    expect(requireElement('main').textContent).toContain('did not send us your e‑mail address');
  });
});

describe('a reason known to the page', () => {
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
    ['support without a start page', { globalSupportUrl: '/help' }, 'Contact support', '/help'],
  ] as const)('an unknown address links to %s [3.12]', async (_where, known, words, path) => {
    const entry = { kind: 'error', errorId: undefined, reason: 'address' } as const;
    await drawApp({ entry }, [{ type: 'CONFIG_LOADED', config: known }]);
    expect(facts()).toEqual(['There is no page at this address', words, path]);
  });

  test.each([
    ['the boards', config.config, 'Go to your boards', '/boards'],
    [
      'the sign-in without a start page',
      { globalSupportUrl: '/help' },
      'Start again',
      '/connect/authorize/one',
    ],
  ] as const)('an unknown address with a ReturnUrl links to %s', async (_where, known, words, path) => {
    const entry = { kind: 'error', errorId: undefined, reason: 'address' } as const;
    await drawApp({ entry, returnUrl }, [{ type: 'CONFIG_LOADED', config: known }]);
    expect(facts()).toEqual(['There is no page at this address', words, path]);
  });

  test('the sign-in page without a sign-in says where to sign in and links to the boards', async () => {
    const withoutSignIn = { entry: { kind: 'login' } } as const;
    await drawApp(withoutSignIn, [config, { type: 'CONTEXT_FAILED', failure: notFound }]);
    expect(facts()).toEqual(['Sign in', 'Go to your boards', '/boards']);
    expect(requireElement('main').textContent).toContain('Go to your boards and sign in there.');
  });

  test('an expired sign-in can be started again', async () => {
    await drawApp(arrival, [config, { type: 'CONTEXT_FAILED', failure: notFound }]);
    expect(facts()).toEqual(['This sign-in has expired', 'Start again', '/connect/authorize/one']);
  });

  test('a missing cookie is explained with the host that needs it', async () => {
    await drawApp(arrival, [config, { type: 'CONTEXT_FAILED', failure: notFound, lacksCookies: true }]);
    expect(facts()).toEqual(['Your browser did not keep a cookie', 'Start again', '/connect/authorize/one']);
    expect(requireElement('main').textContent).toContain(`Allow cookies for ${location.host}`);
  });
});

describe('for support', () => {
  test('the details are folded on a page that is no error', async () => {
    await drawApp({ entry: { kind: 'error', errorId: undefined, reason: 'address' } }, []);
    const folded = requireElement<HTMLDetailsElement>('main details');
    expect([folded.open, requireElement('main summary').textContent]).toEqual([false, 'Details for support']);
    expect(lines()[0]).toEqual(['Correlation ID', 'correlation-1']);
  });

  test('the details of an error are visible', async () => {
    await drawError({ error: 'invalid_request' });
    expect([
      document.querySelector('details'),
      requireElement('main section').getAttribute('aria-label'),
    ]).toEqual([null, 'Details for support']);
  });

  test('the correlation id can be copied, which is announced', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await drawError();
    const button = requireElement<HTMLButtonElement>('main dd button');
    expect(button.textContent).toBe('Copy');
    await act(async () => button.click());
    expect(writeText).toHaveBeenCalledWith('correlation-1');
    expect(button.textContent).toBe('Copied');
    expect(requireElement('main dd [aria-live]').textContent).toBe('Copied');
  });

  test.each(['2026-01-02T03:04:05Z', 'yesterday'])(
    'the time %s is shown once, unchanged [2.69]',
    async (timestamp) => {
      await drawError({ timestamp });
      expect(lines()[1]).toEqual(['Time (UTC)', timestamp]);
      expect(lines()).toHaveLength(2);
    },
  );
});

describe('a page that starting again does not help', () => {
  const config = {
    type: 'CONFIG_LOADED',
    config: { homeUri: '/boards', globalSupportUrl: '/help' },
  } as const;
  /** Each action, with its style. */
  const actions = (): string[] =>
    [...document.querySelectorAll('main :is(a, button)')]
      .filter((one) => one.closest('dl, footer') === null)
      .map(
        ({ textContent, className }) =>
          `${textContent}: ${className.includes('primary') ? 'primary' : 'secondary'}`,
      );

  test.each(['user_login_email_not_found', 'email_claim_not_found'])(
    'after %s, the board office comes before starting again',
    async (error) => {
      const app = await drawError({ error }, returnUrl);
      await app.report(config);
      expect(actions()).toEqual(['Ask your board office: primary', 'Start again: secondary']);
      expect(action('ask-board-office').getAttribute('href')).toBe('mailto:');
    },
  );

  test('without boards, the board office comes before signing out, which needs no details', async () => {
    const context = contextOf({ selectSite: true });
    const app = await drawApp({ entry: { kind: 'login' }, returnUrl }, [
      config,
      { type: 'CONTEXT_LOADED', context },
      { type: 'SITE_SETTINGS_LOADED', answer: { allowPasswordEntry: true } },
    ]);
    const siteList = {
      sites: [],
      userFirstName: 'Ada',
      userLastName: 'Holm',
      boardsUserName: 'ada',
      directorToDoItemsEnabled: false,
    };
    await app.report({ type: 'SITES_LOADED', siteList });
    expect([heading(), document.title]).toEqual([
      'You have no boards yet',
      'You have no boards yet · Anteroom',
    ]);
    expect(actions()).toEqual(['Ask your board office: primary', 'Sign out: secondary']);
    expect(requireElement<HTMLDetailsElement>('main details').open).toBe(false);
  });

  test('without a connection, the page can be loaded again', async () => {
    await drawApp({ entry: { kind: 'login' }, returnUrl }, [
      { type: 'CONTEXT_FAILED', failure: { kind: 'unreachable' } },
    ]);
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
    expect(heading()).toBe('No connection');
    expect(requireElement('[data-notification]').textContent).toContain('Check your connection');
    expect(actions()).toEqual(['Try again: primary']);
    click(requireElement('main button'));
    expect(reload).toHaveBeenCalledOnce();
    expect(requireElement<HTMLDetailsElement>('main details').open).toBe(false);
  });
});

describe('starting again', () => {
  const startAgain = (): string | null | undefined =>
    [...document.querySelectorAll('main a')]
      .find((link) => link.textContent === 'Start again')
      ?.getAttribute('href');

  test('links to the return address [F15]', async () => {
    await drawError(undefined, returnUrl);
    expect(startAgain()).toBe(`${location.origin}${returnUrl}`);
  });

  test('is offered beside the start page of the installation [3.12]', async () => {
    const app = await drawError(undefined, returnUrl);
    await app.report({ type: 'CONFIG_LOADED', config: { homeUri: '/boards' } });
    const links = [...document.querySelectorAll<HTMLAnchorElement>('main a')];
    expect(links.map(({ textContent, pathname }) => [textContent, pathname])).toEqual([
      ['Start again', '/connect/authorize/one'],
      ['Go to your boards', '/boards'],
    ]);
  });

  test.each(['https://evil.example/', '//evil.example/', 'javascript:alert(1)'])(
    'does not link to %s, which anyone can write into the address',
    async (address) => {
      await drawError(undefined, address);
      expect(startAgain()).toBeUndefined();
    },
  );
});
