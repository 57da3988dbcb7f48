import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { portal, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { openEmbeddedTestDatabase } from '../../testing/describe-store.ts';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import type { FakeGateway } from '../../testing/fake-gateway.ts';
import { sendPassword } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { demoPassword } from '../demo/demo-data.ts';

// Attacks and faults, F08: the gateway for text messages refuses, fails, hangs, or is not there.

const director = { site: 'northwind', userName: 'director@demo.example', password: demoPassword };

let gateway: FakeGateway;
let application: TestApplication;
let closeDatabase: () => Promise<void>;

beforeAll(async () => {
  gateway = await startFakeGateway();
  ({ close: closeDatabase } = await start());
});
afterAll(async () => {
  await application.close();
  await closeDatabase();
  await gateway.close();
});

async function start(): Promise<{ close: () => Promise<void> }> {
  const { database, close } = await openEmbeddedTestDatabase();
  application = await startApplication(database, {
    settings: {
      SMS_SENDER: 'webhook',
      SMS_WEBHOOK_URL: `${gateway.url}/sms`,
      SMS_WEBHOOK_TOKEN: 'hook-token',
    },
  });
  return { close };
}

beforeEach(async () => {
  gateway.requests.length = 0;
  gateway.behave({ status: 202 });
  const { database } = application.services;
  for (const table of ['limits', 'code_messages', 'one_time_codes'] as const)
    await database.deleteFrom(table).execute();
});

async function askedForCode() {
  const browser = application.openBrowser();
  const { returnUrl } = await beginSignIn(browser, portal);
  return { browser, returnUrl, answer: await sendPassword(browser, { returnUrl }, director) };
}

const resend = (browser: Browser, returnUrl: string) =>
  browser.post('/api/ui/resend-mfa-code', { returnUrl });
const verify = (browser: Browser, returnUrl: string, code: string) =>
  browser.post('/api/ui/verify-mfa-code', { returnUrl, code });
const sentCode = (at = -1): string => {
  const { text } = JSON.parse(gateway.requests.at(at)?.body ?? '{}') as { text?: string };
  return /#(\d{6})$/.exec(text ?? '')?.[1] ?? '';
};

test('the message reaches the gateway once, and its code signs in', async () => {
  const { browser, returnUrl, answer } = await askedForCode();
  expect(answer.json()).toMatchObject({ status: 'second_factor_required' });
  expect(gateway.requests).toHaveLength(1);
  expect((await verify(browser, returnUrl, sentCode())).json()).toMatchObject({ status: 'redirect' });
});

describe('a gateway that fails', () => {
  test('does not end the sign-in: the page comes, and can ask again without the password', async () => {
    gateway.behave({ status: 500 });
    const { browser, returnUrl, answer } = await askedForCode();
    expect(answer.json()).toMatchObject({
      status: 'second_factor_required',
      mfaPhoneNumberSuffix: '42',
      codeSent: true,
      nextCodeInSeconds: 30,
    });

    // it may have been sent all the same: another one has to wait
    expect((await resend(browser, returnUrl)).json()).toEqual({ code: 'rate_limit_reached' });
    gateway.behave({ status: 202 });
    application.clock.advanceSeconds(30);
    expect((await resend(browser, returnUrl)).status).toBe(204);
    expect(gateway.requests).toHaveLength(2);
    expect((await verify(browser, returnUrl, sentCode())).json()).toMatchObject({ status: 'redirect' });
  });

  test('is told when a code is asked for again, with the time to wait, and nothing is counted as a wrong code', async () => {
    const { browser, returnUrl } = await askedForCode();
    const first = sentCode();
    application.clock.advanceSeconds(30);
    gateway.behave({ status: 429, headers: { 'retry-after': '17' } });
    const failed = await resend(browser, returnUrl);
    expect(failed.status).toBe(500);
    expect(failed.json()).toEqual({ code: 'mfa_resend_failed' });
    expect(failed.headers['retry-after']).toBe('17');
    // what certainly was not sent took nothing away: the code from before is still good
    const { checks } = await application.services.database
      .selectFrom('one_time_codes')
      .select('checks')
      .executeTakeFirstOrThrow();
    expect(checks).toBe(0);
    expect((await verify(browser, returnUrl, first)).json()).toMatchObject({ status: 'redirect' });
  });

  test('and may have sent it: the new code is good, the wait is the whole one', async () => {
    const { browser, returnUrl } = await askedForCode();
    application.clock.advanceSeconds(30);
    gateway.behave('reset');
    const failed = await resend(browser, returnUrl);
    expect(failed.json()).toEqual({ code: 'mfa_resend_failed' });
    expect(failed.headers['retry-after']).toBe('30');
    expect((await verify(browser, returnUrl, sentCode())).json()).toMatchObject({ status: 'redirect' });
  });

  test('hangs: the sign-in goes on without its answer', async () => {
    gateway.behave('hang');
    const { answer } = await askedForCode();
    expect(answer.json()).toMatchObject({ status: 'second_factor_required' });
    expect(gateway.requests).toHaveLength(1);
  });

  test('says that there is nobody at the number: the person is told', async () => {
    gateway.behave({ status: 422, body: '{"code":"invalid_number"}' });
    const { answer } = await askedForCode();
    expect(answer.status).toBe(400);
    expect(answer.json()).toEqual({ code: 'mfa_invalid_phone_number' });
  });

  test('refuses for a reason of its own: the page comes, and asking again says that it failed', async () => {
    gateway.behave({ status: 401, body: '<html>' });
    const { browser, returnUrl, answer } = await askedForCode();
    expect(answer.json()).toMatchObject({
      status: 'second_factor_required',
      codeSent: false,
      nextCodeInSeconds: 0,
    });
    const failed = await resend(browser, returnUrl);
    expect(failed.json()).toEqual({ code: 'mfa_resend_failed' });
    expect(failed.headers['retry-after']).toBe('10');
  });
});

test('a stored number that nobody can dial is told, and no gateway is asked', async () => {
  const { database } = application.services;
  const people = () => database.updateTable('people').where('user_name', '=', director.userName);
  await people().set({ phone_number: '079460142' }).execute();
  const { answer } = await askedForCode();
  expect(answer.json()).toEqual({ code: 'mfa_invalid_phone_number' });
  expect(gateway.requests).toHaveLength(0);
  await people().set({ phone_number: '+442079460142' }).execute();
});

test('two passwords at once send one message', async () => {
  const browser = application.openBrowser();
  const { returnUrl } = await beginSignIn(browser, portal);
  const answers = await Promise.all([1, 2, 3].map(() => sendPassword(browser, { returnUrl }, director)));
  for (const answer of answers) expect(answer.json()).toMatchObject({ status: 'second_factor_required' });
  expect(gateway.requests).toHaveLength(1);
  expect((await verify(browser, returnUrl, sentCode())).json()).toMatchObject({ status: 'redirect' });
});

test('S38: 30 sign-ins in a burst send one message', async () => {
  for (let round = 0; round < 30; round += 1) await askedForCode();
  expect(gateway.requests).toHaveLength(1);
});

test('after five failures the gateway is left alone, and the page is told when to try again', async () => {
  gateway.behave({ status: 503 });
  for (let failure = 0; failure < 5; failure += 1) {
    await askedForCode();
    application.clock.advanceSeconds(600);
  }
  const reached = gateway.requests.length;
  const { browser, returnUrl, answer } = await askedForCode();
  expect(answer.json()).toMatchObject({ status: 'second_factor_required' });
  const failed = await resend(browser, returnUrl);
  expect(failed.json()).toEqual({ code: 'mfa_resend_failed' });
  const waitSeconds = Number(failed.headers['retry-after']);
  expect(waitSeconds).toBeGreaterThan(20);
  expect(waitSeconds).toBeLessThanOrEqual(30);
  expect(gateway.requests).toHaveLength(reached);
});

test('S64: neither code nor number nor token is in the log', () => {
  const text = JSON.stringify(application.log);
  expect(text).toContain('a code was not sent');
  expect(text).not.toMatch(/2079460142|hook-token|"code":"\d{6}"|#\d{6}/);
});
