import { resendWaitSeconds } from '@anteroom/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import { obtainTokens, readIdToken, sendPassword } from '../../testing/journeys.ts';
import { listMessages } from '../../testing/outbox.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { demoPassword } from '../demo/demo-data.ts';
import { rememberDeviceSeconds } from '../factors/remembered-devices.ts';

const application = useApplication();
const director = { site: 'northwind', userName: 'director@demo.example', password: demoPassword };

beforeEach(async () => {
  const { database } = application().services;
  for (const table of ['limits', 'outbox', 'code_messages', 'remembered_devices'] as const)
    await database.deleteFrom(table).execute();
});

async function readMessage(): Promise<string> {
  return (await listMessages(application().services.database, 'sms')).at(-1)?.text ?? '';
}

/** Returns the code of the latest message. */
const readCode = async (): Promise<string> => /#(\d{6})$/.exec(await readMessage())?.[1] ?? '';

async function askedForCode(browser: Browser = application().openBrowser(), changes = {}) {
  const started = await beginSignIn(browser, portal, changes);
  const answer = await sendPassword(browser, started, director);
  return { browser, started, answer, returnUrl: started.returnUrl };
}

const verify = (browser: Browser, returnUrl: string, code: string, more: object = {}): Promise<Answer> =>
  browser.post('/api/ui/verify-mfa-code', { returnUrl, code, ...more });
const resend = (browser: Browser, returnUrl: string) =>
  browser.post('/api/ui/resend-mfa-code', { returnUrl });
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a user with a second factor', () => {
  test('is asked for an SMS code, and the tokens contain amr `sms` [I03]', async () => {
    const { browser, started, answer, returnUrl } = await askedForCode();
    expect(answer.json()).toEqual({
      status: 'second_factor_required',
      mfaAdaptivePolicyEnabled: true,
      mfaPhoneNumberSuffix: '42',
      mfaCodeValidityInMinutes: 10,
      codeSent: true,
      nextCodeInSeconds: resendWaitSeconds,
    });
    expect((await browser.call('/api/ui/sites')).status).toBe(401);
    const claims = readIdToken(
      await obtainTokens(application(), browser, started, await verify(browser, returnUrl, await readCode())),
    );
    expect(claims).toMatchObject({ amr: ['pwd', 'sms'], site: 'northwind' });
  });

  test('gets a new session id with the code, and not with only the password [S22]', async () => {
    const { browser, returnUrl } = await askedForCode();
    const before = browser.cookies.get('anteroom_session')?.value;
    await verify(browser, returnUrl, await readCode());
    expect(browser.cookies.get('anteroom_session')?.value).not.toBe(before);
  });

  test('continues at the same step after a reload', async () => {
    const { browser, returnUrl } = await askedForCode();
    application().clock.advanceSeconds(resendWaitSeconds - 18);
    const context = (await browser.call('/api/ui/auth-context', { returnUrl })).json();
    expect(context).toMatchObject({
      awaitedStep: 'second_factor_required',
      mfaPhoneNumberSuffix: '42',
      mfaAdaptivePolicyEnabled: true,
      mfaCodeValidityInMinutes: 10,
      codeSent: true,
      nextCodeInSeconds: 18,
      session: { state: 'none' },
    });
    // The password is requested again after this time, so the response contains nothing about the phone.
    application().clock.advanceSeconds(600);
    const later = (await browser.call('/api/ui/auth-context', { returnUrl })).json();
    for (const member of ['awaitedStep', 'mfaPhoneNumberSuffix', 'codeSent', 'nextCodeInSeconds'])
      expect(later).not.toHaveProperty(member);
  });

  test('reads in the message which product and organisation the code is for', async () => {
    await askedForCode();
    expect(await readMessage()).toMatch(/^Anteroom: (\d{6}) is your sign-in code for Northwind Holdings\./);
  });

  test('reads the message in the language of the page', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    await browser.post(
      '/api/ui/authenticate',
      { returnUrl: started.returnUrl, ...director },
      { 'accept-language': 'ar' },
    );
    expect(await readMessage()).toMatch(/\p{Script=Arabic}/u);
  });

  test('can enter a site that requires a second factor', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    await sendPassword(browser, started, { ...director, site: 'summit' });
    const answer = await verify(browser, started.returnUrl, await readCode());
    expect(answer.json()).toMatchObject({ status: 'redirect' });
  });
});

describe('a code', () => {
  test('works once, and only in its sign-in [I03, S36]', async () => {
    const { browser, returnUrl } = await askedForCode();
    const code = await readCode();
    const other = application().openBrowser();
    const { returnUrl: others } = await beginSignIn(other, portal);
    expect((await verify(other, others, code)).json()).toEqual({ code: 'unauthorized' });
    expect((await verify(other, returnUrl, code)).status).toBe(404);

    const answers = await Promise.all(Array.from({ length: 8 }, () => verify(browser, returnUrl, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // Some attempts get 404, because the session has been replaced by then.
    for (const { status, text } of answers.filter(({ status }) => status !== 200))
      expect([401, 404, 429].includes(status), text).toBe(true);
  });

  test('allows five attempts, then requires the password again [S35]', async () => {
    const { browser, started, returnUrl } = await askedForCode();
    const code = await readCode();
    const answers: unknown[] = [];
    for (let index = 0; index < 5; index += 1) {
      await application().services.database.deleteFrom('limits').execute();
      answers.push((await verify(browser, returnUrl, otherThan(code))).json()['code']);
    }
    expect(answers).toEqual([
      'invalid_credentials',
      'invalid_credentials',
      'invalid_credentials',
      'invalid_credentials',
      'mfa_max_attempts_exceeded',
    ]);
    expect((await verify(browser, returnUrl, code)).json()).toEqual({ code: 'mfa_max_attempts_exceeded' });
    // No Retry-After, because a new code cannot be requested in this sign-in.
    expect((await resend(browser, returnUrl)).json()).toEqual({ code: 'mfa_max_attempts_exceeded' });
    application().clock.advanceSeconds(resendWaitSeconds);
    expect((await resend(browser, returnUrl)).json()).toEqual({ code: 'mfa_max_attempts_exceeded' });
    await sendPassword(browser, started, director);
    expect((await verify(browser, returnUrl, await readCode())).json()).toMatchObject({ status: 'redirect' });
  });

  test('is valid for ten minutes and not a second longer [S37]', async () => {
    const { browser, returnUrl } = await askedForCode();
    const code = await readCode();
    application().clock.advanceSeconds(600);
    expect((await verify(browser, returnUrl, code)).json()).toEqual({ code: 'mfa_token_expired' });

    const again = await askedForCode();
    const fresh = await readCode();
    application().clock.advanceSeconds(599);
    expect((await verify(again.browser, again.returnUrl, fresh)).json()).toMatchObject({
      status: 'redirect',
    });
  });

  test('can be sent again after the wait, which the response states [7.6, I03, S38]', async () => {
    const { browser, returnUrl } = await askedForCode();
    const first = await readCode();
    const early = await resend(browser, returnUrl);
    expect(early.json()).toEqual({ code: 'rate_limit_reached' });
    expect(Number(early.headers['retry-after'])).toBe(resendWaitSeconds);
    application().clock.advanceSeconds(resendWaitSeconds);
    const sent = await resend(browser, returnUrl);
    expect(sent.status).toBe(204);
    expect(sent.headers['retry-after']).toBe(String(resendWaitSeconds));
    const second = await readCode();
    if (first !== second) expect((await verify(browser, returnUrl, first)).status).toBe(401);
    expect((await verify(browser, returnUrl, second)).json()).toMatchObject({ status: 'redirect' });
  });

  test('is not sent to a second sign-in during the wait; the first code is wrong there, and a new code can be requested after the wait [S38]', async () => {
    const first = await askedForCode();
    const code = await readCode();
    application().clock.advanceSeconds(resendWaitSeconds - 10);
    const { browser, returnUrl, answer: asked } = await askedForCode();
    expect(await readCode()).toBe(code);
    const contextNow = async () => (await browser.call('/api/ui/auth-context', { returnUrl })).json();
    for (const said of [asked.json(), await contextNow()])
      expect(said).toMatchObject({ codeSent: false, nextCodeInSeconds: 10 });
    // The error is not mfa_token_expired: the user would begin again, and again get no message.
    const answer = await verify(browser, returnUrl, code);
    expect([answer.status, answer.json()]).toEqual([401, { code: 'invalid_credentials' }]);
    const early = await resend(browser, returnUrl);
    expect([early.status, early.headers['retry-after']]).toEqual([429, '10']);
    application().clock.advanceSeconds(10);
    // However many tabs request a code in parallel, one message is sent.
    const asks = await Promise.all(Array.from({ length: 4 }, () => resend(browser, returnUrl)));
    expect(asks.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      204, 429, 429, 429,
    ]);
    expect(await contextNow()).toMatchObject({ codeSent: true, nextCodeInSeconds: resendWaitSeconds });
    expect((await verify(browser, returnUrl, await readCode())).json()).toMatchObject({ status: 'redirect' });
    expect((await verify(first.browser, first.returnUrl, code)).status).toBe(200);
  });

  test('is neither sent nor checked without the password [S25, S39]', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    expect((await resend(browser, returnUrl)).json()).toEqual({ code: 'unauthorized' });
    expect((await verify(browser, returnUrl, '123456')).json()).toEqual({ code: 'unauthorized' });
    await sendPassword(browser, { returnUrl }, { ...director, password: 'wrong' });
    expect((await resend(browser, returnUrl)).json()).toEqual({ code: 'unauthorized' });
    const sent = await application().services.database.selectFrom('outbox').selectAll().execute();
    expect(sent).toEqual([]);
  });

  test('is in no log line [S64]', async () => {
    const { browser, returnUrl } = await askedForCode();
    const code = await readCode();
    await verify(browser, returnUrl, code);
    expect(JSON.stringify(application().log)).not.toContain(code);
    expect(JSON.stringify(application().log)).not.toContain(demoPassword);
  });
});

describe('a private computer', () => {
  const signInAgain = async (browser: Browser) => {
    browser.cookies.delete('anteroom_session');
    return (await askedForCode(browser)).answer.json()['status'];
  };

  test('is remembered as long as the limit says, for this user [I39]', async () => {
    const { browser, returnUrl } = await askedForCode();
    const answer = await verify(browser, returnUrl, await readCode(), { publicComputerSignIn: false });
    expect(answer.cookies.join('\n')).toMatch(
      new RegExp(`^anteroom_device=[\\w-]{43};.*Max-Age=${rememberDeviceSeconds};.*HttpOnly`, 'm'),
    );
    expect(await signInAgain(browser)).toBe('redirect');
    application().clock.advanceSeconds(rememberDeviceSeconds);
    expect(await signInAgain(browser)).toBe('second_factor_required');
  });

  test('is not remembered if the visitor declares it public [I39]', async () => {
    const { browser, returnUrl } = await askedForCode();
    await verify(browser, returnUrl, await readCode(), { publicComputerSignIn: true });
    expect(await signInAgain(browser)).toBe('second_factor_required');
  });

  test('is not remembered at a site that does not accept remembered computers', async () => {
    const { database } = application().services;
    const { browser, returnUrl } = await askedForCode();
    await verify(browser, returnUrl, await readCode());
    await database
      .updateTable('sites')
      .set({ adaptive_second_factor: false })
      .where('name', '=', 'northwind')
      .execute();
    expect(await signInAgain(browser)).toBe('second_factor_required');
    await database.updateTable('sites').set({ adaptive_second_factor: true }).execute();
  });

  test('does not replace the code at a site that does not accept remembered computers, within a session either', async () => {
    const { database } = application().services;
    const { browser, returnUrl } = await askedForCode();
    await verify(browser, returnUrl, await readCode());
    expect(await signInAgain(browser)).toBe('redirect');
    const summit = database.updateTable('sites').where('name', '=', 'summit');
    await summit.set({ adaptive_second_factor: false }).execute();
    await database.deleteFrom('code_messages').execute();

    const { returnUrl: switching } = await beginSignIn(browser, portal, { prompt: 'switch_site' });
    const choose = () => browser.post('/api/ui/auth/select-site', { returnUrl: switching, site: 'summit' });
    expect((await choose()).json()).toMatchObject({ status: 'second_factor_required' });
    const before = browser.cookies.get('anteroom_session')?.value;
    expect((await verify(browser, switching, await readCode())).json()).toMatchObject({ status: 'redirect' });
    expect(browser.cookies.get('anteroom_session')?.value).not.toBe(before);
    await database.updateTable('sites').set({ adaptive_second_factor: true }).execute();
  });

  test('gives tokens with only amr `pwd`', async () => {
    const { browser, returnUrl } = await askedForCode();
    await verify(browser, returnUrl, await readCode());
    browser.cookies.delete('anteroom_session');
    const { started, answer } = await askedForCode(browser);
    const claims = readIdToken(await obtainTokens(application(), browser, started, answer));
    expect(claims['amr']).toEqual(['pwd']);
  });
});

describe('a site that requires a second factor', () => {
  test('refuses a user who has none with site_requires_mfa, from its start date on', async () => {
    const { database } = application().services;
    const { id } = await database
      .selectFrom('sites')
      .select('id')
      .where('name', '=', 'summit')
      .executeTakeFirstOrThrow();
    const user = await database
      .selectFrom('sign_in_names')
      .select('user_id')
      .where('name_key', '=', 'secretary@demo.example')
      .executeTakeFirstOrThrow();
    await database
      .insertInto('memberships')
      .values({ user_id: user.user_id, site_id: id, created_at: application().clock.now() })
      .execute();
    const askFrom = async (days: number | undefined) => {
      const from = days === undefined ? null : new Date(Date.now() + days * 24 * 60 * 60 * 1000);
      await database.updateTable('sites').set({ second_factor_from: from }).where('id', '=', id).execute();
    };
    const signInAtSummit = async () => {
      const browser = application().openBrowser();
      const answer = await sendPassword(browser, await beginSignIn(browser, portal), {
        site: 'summit',
        userName: 'secretary@demo.example',
        password: demoPassword,
      });
      return { browser, answer };
    };
    for (const days of [undefined, -1]) {
      await askFrom(days);
      const { browser, answer } = await signInAtSummit();
      expect(answer.status).toBe(401);
      expect(answer.json()).toEqual({ code: 'site_requires_mfa' });
      expect((await browser.call('/api/ui/sites')).status).toBe(401);
    }

    await askFrom(1);
    const { browser, answer } = await signInAtSummit();
    expect(answer.json()).toMatchObject({ status: 'redirect' });
    const { sites } = (await browser.call('/api/ui/sites')).json() as { sites: Record<string, unknown>[] };
    const listed = sites.flatMap((site) => [site, ...((site['sites'] ?? []) as typeof sites)]);
    expect(listed.find(({ name }) => name === 'summit')).toMatchObject({ mfaRequirementMet: true });
  });
});
