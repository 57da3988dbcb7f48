import { resendWaitSeconds } from '@anteroom/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { portal, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { openTestDatabase } from '../../testing/describe-store.ts';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import type { FakeGateway } from '../../testing/fake-gateway.ts';
import { sendPassword } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { until } from '../../testing/until.ts';
import { demoPassword } from '../demo/demo-data.ts';

// Attacks and faults, F08: the SMS gateway rejects requests, fails, hangs, or is unreachable.

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
  const { database, close } = await openTestDatabase();
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

test('a sign-in releases its capacity for hashing before it waits for the gateway [S66]', async () => {
  const { passwords } = application.services;
  const admit = passwords.admit.bind(passwords);
  const released: number[] = [];
  const admitting = vi.spyOn(passwords, 'admit').mockImplementation(() => {
    const release = admit();
    return () => {
      released.push(gateway.requests.length);
      release();
    };
  });
  gateway.behave('hang');
  const asked = askedForCode();
  await until(() => gateway.requests.length === 1);
  expect(released).toEqual([0]);
  admitting.mockRestore();
  await asked;
});

const resend = (browser: Browser, returnUrl: string) =>
  browser.post('/api/ui/resend-mfa-code', { returnUrl });
const verify = (browser: Browser, returnUrl: string, code: string) =>
  browser.post('/api/ui/verify-mfa-code', { returnUrl, code });
const sentCode = (at = -1): string => {
  const { text } = JSON.parse(gateway.requests.at(at)?.body ?? '{}') as { text?: string };
  return /#(\d{6})$/.exec(text ?? '')?.[1] ?? '';
};

test('sends the message to the gateway once, and its code signs in', async () => {
  const { browser, returnUrl, answer } = await askedForCode();
  expect(answer.json()).toMatchObject({ status: 'second_factor_required' });
  expect(gateway.requests).toHaveLength(1);
  expect((await verify(browser, returnUrl, sentCode())).json()).toMatchObject({ status: 'redirect' });
});

describe('a sign-in with a failing gateway', () => {
  test('continues: the page can request the code again without the password [F08]', async () => {
    gateway.behave({ status: 500 });
    const { browser, returnUrl, answer } = await askedForCode();
    expect(answer.json()).toMatchObject({
      status: 'second_factor_required',
      mfaPhoneNumberSuffix: '42',
      codeSent: true,
      nextCodeInSeconds: resendWaitSeconds,
    });

    // The message may have been sent, so the wait applies to the next message.
    expect((await resend(browser, returnUrl)).json()).toEqual({ code: 'rate_limit_reached' });
    gateway.behave({ status: 202 });
    application.clock.advanceSeconds(resendWaitSeconds);
    expect((await resend(browser, returnUrl)).status).toBe(204);
    expect(gateway.requests).toHaveLength(2);
    expect((await verify(browser, returnUrl, sentCode())).json()).toMatchObject({ status: 'redirect' });
  });

  test('reports the failure with Retry-After when the page requests a code again, and does not count it as a wrong code', async () => {
    const { browser, returnUrl } = await askedForCode();
    const first = sentCode();
    application.clock.advanceSeconds(resendWaitSeconds);
    gateway.behave({ status: 429, headers: { 'retry-after': '17' } });
    const failed = await resend(browser, returnUrl);
    expect(failed.status).toBe(500);
    expect(failed.json()).toEqual({ code: 'mfa_resend_failed' });
    expect(failed.headers['retry-after']).toBe('17');
    // The message was certainly not sent, so the previous code is still valid.
    const { checks } = await application.services.database
      .selectFrom('one_time_codes')
      .select('checks')
      .executeTakeFirstOrThrow();
    expect(checks).toBe(0);
    expect((await verify(browser, returnUrl, first)).json()).toMatchObject({ status: 'redirect' });
  });

  test('keeps the new code valid and applies the full wait if the gateway might have sent the message', async () => {
    const { browser, returnUrl } = await askedForCode();
    application.clock.advanceSeconds(resendWaitSeconds);
    gateway.behave('reset');
    const failed = await resend(browser, returnUrl);
    expect(failed.json()).toEqual({ code: 'mfa_resend_failed' });
    expect(failed.headers['retry-after']).toBe(String(resendWaitSeconds));
    expect((await verify(browser, returnUrl, sentCode())).json()).toMatchObject({ status: 'redirect' });
  });

  test('continues without the response of a gateway that hangs [F08]', async () => {
    gateway.behave('hang');
    const { answer } = await askedForCode();
    expect(answer.json()).toMatchObject({ status: 'second_factor_required' });
    expect(gateway.requests).toHaveLength(1);
  });

  test('reports an invalid number if the gateway rejects the number', async () => {
    gateway.behave({ status: 422, body: '{"code":"invalid_number"}' });
    const { answer } = await askedForCode();
    expect(answer.status).toBe(400);
    expect(answer.json()).toEqual({ code: 'mfa_invalid_phone_number' });
  });

  test('continues if the gateway refuses for another reason, and a repeated request reports the failure', async () => {
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

test('an invalid stored number is reported without a request to the gateway', async () => {
  const { database } = application.services;
  const users = () => database.updateTable('users').where('user_name', '=', director.userName);
  await users().set({ phone_number: '079460142' }).execute();
  const { answer } = await askedForCode();
  expect(answer.json()).toEqual({ code: 'mfa_invalid_phone_number' });
  expect(gateway.requests).toHaveLength(0);
  await users().set({ phone_number: '+442079460142' }).execute();
});

test('two parallel password calls send one message', async () => {
  const browser = application.openBrowser();
  const { returnUrl } = await beginSignIn(browser, portal);
  const answers = await Promise.all([1, 2, 3].map(() => sendPassword(browser, { returnUrl }, director)));
  for (const answer of answers) expect(answer.json()).toMatchObject({ status: 'second_factor_required' });
  expect(gateway.requests).toHaveLength(1);
  expect((await verify(browser, returnUrl, sentCode())).json()).toMatchObject({ status: 'redirect' });
});

test('30 sign-ins in a burst send one message [S38]', async () => {
  for (let round = 0; round < 30; round += 1) await askedForCode();
  expect(gateway.requests).toHaveLength(1);
});

test('opens the circuit after five failures, and the answer states when to retry [F08]', async () => {
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

test('logs neither the code nor the number nor the token [S64]', () => {
  const text = JSON.stringify(application.log);
  expect(text).toContain('a code was not sent');
  expect(text).not.toMatch(/2079460142|hook-token|"code":"\d{6}"|#\d{6}/);
});
