import { expect, test } from 'vitest';
import { openConsole } from '../../testing/operators.ts';
import { useApplication } from '../../testing/use-application.ts';
import type { Browser } from '../../testing/browser.ts';
import { demoPassword } from '../demo/demo-data.ts';
import { codeOfStep, fromBase32, stepAt } from '../factors/time-based-codes.ts';

const application = useApplication();
const knowing = { 'x-anteroom-extensions': 'totp,factors' };
const credentials = { userName: 'secretary@demo.example', password: demoPassword };

const ask = (browser: Browser) =>
  browser.send({
    method: 'GET',
    address: '/api/manage/me',
    headers: { accept: 'application/json', 'sec-fetch-site': 'same-origin' },
  });

async function beginProof(browser: Browser, returnTo: string): Promise<string> {
  const { address } = await browser.follow(`/api/manage/proof?return=${encodeURIComponent(returnTo)}`);
  const returnUrl = address.searchParams.get('ReturnUrl') ?? '';
  await browser.call('/api/ui/auth-context', { returnUrl });
  return returnUrl;
}

test('an administrator without a second factor sets up an app on the way to the console [S25]', async () => {
  const browser = application().openBrowser();
  expect((await ask(browser)).status).toBe(401);
  const returnUrl = await beginProof(browser, 'sites/harbor/people?search=d');
  const entered = await browser.post(
    '/api/ui/authenticate',
    { returnUrl, site: 'harbor', ...credentials },
    knowing,
  );
  expect(entered.json()['status'], entered.text).toBe('second_factor_required');
  expect((await ask(browser)).status).toBe(401);
  const offered = await browser.post('/api/ui/authenticator-app', { returnUrl }, knowing);
  const { secret } = offered.json()['enrolment'] as { secret: string };
  const code = codeOfStep(fromBase32(secret), stepAt(application().clock.now()));
  const proved = await browser.post('/api/ui/verify-mfa-code', { returnUrl, code }, knowing);
  expect(proved.json()['status'], proved.text).toBe('redirect');
  const { address } = await browser.follow(String(proved.json()['location']));
  expect(address.pathname).toBe('/console/');
  expect(address.searchParams.get('state')).toBe('sites/harbor/people?search=d');
  const me = await ask(browser);
  expect(me.json()).toMatchObject({ roles: [{ role: 'administrator', site: 'harbor' }] });
  expect(me.json()['freshUntil']).not.toBeNull();
});

test('the same user signs in to a board with the password alone before that', async () => {
  const { database } = application().services;
  await database.deleteFrom('authenticator_apps').execute();
  const secretary = await openConsole(application(), credentials.userName, { methods: ['pwd'] });
  expect((await secretary.manage('GET', 'me')).json()).toMatchObject({
    type: '/problems/sign-in-required',
    proofAddress: '/api/manage/proof',
  });
});

test('the proof leads back into the console alone [S01]', async () => {
  const browser = application().openBrowser();
  for (const evil of [
    '//evil.test',
    'https://evil.test',
    '/\\evil.test',
    '..//evil.test',
    '/users',
    '\tx',
    'a/../../b',
  ]) {
    const answer = await browser.visit(`/api/manage/proof?return=${encodeURIComponent(evil)}`);
    const address = new URL(answer.headers['location'] ?? '', 'http://localhost:4400');
    expect(address.pathname).toBe('/connect/authorize');
    expect(address.searchParams.get('state')).toBeNull();
    expect(address.searchParams.get('redirect_uri')).toBe('http://localhost:4400/console/');
  }
});
