import { resendWaitSeconds } from '@anteroom/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { listMessages } from '../../testing/outbox.ts';
import { factors as factorTable } from '../factors/factors.ts';
import { provedNow } from '../../testing/begin-session.ts';
import { portal } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { secretary, signIn } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import type { AuthenticationMethod } from '../sessions/session.ts';

const application = useApplication();
const number = '+442079460777';
const present = '+442079460111';

beforeEach(async () => {
  const { database } = application().services;
  // Resets the windows of all limits.
  application().clock.advanceSeconds(24 * 60 * 60);
  const tables = ['limits', 'outbox', 'remembered_devices', 'sessions', 'code_messages'] as const;
  for (const table of tables) await database.deleteFrom(table).execute();
  await setNumberOf(secretary.userName, null);
  await setSite({
    second_factor_required: false,
    second_factors: null,
    second_factor_from: null,
    authenticator_apps: false,
  });
});

const read = async (browser: Browser) => (await browser.call('/api/ui/account')).json();
const send = (browser: Browser, call: string, body: object = {}) =>
  browser.post(`/api/ui/account/phone-number/${call}`, body);
const askFor = (browser: Browser, phoneNumber = number) => send(browser, 'send-code', { phoneNumber });
const confirm = (browser: Browser, code: string, phoneNumber = number) =>
  send(browser, 'set', { phoneNumber, code });

async function setNumberOf(userName: string, phoneNumber: string | null): Promise<void> {
  await application()
    .services.database.updateTable('users')
    .set({ phone_number: phoneNumber, phone_number_set_at: null })
    .where('user_name', '=', userName)
    .execute();
}

async function setSite(values: {
  second_factor_required: boolean;
  second_factors?: string | null;
  second_factor_from?: Date | null;
  authenticator_apps?: boolean;
}): Promise<void> {
  await application()
    .services.database.updateTable('sites')
    .set(values)
    .where('name', '=', 'harbor')
    .execute();
}

async function storedNumber(userName = secretary.userName): Promise<string | null> {
  const row = await application()
    .services.database.selectFrom('users')
    .select('phone_number')
    .where('user_name', '=', userName)
    .executeTakeFirstOrThrow();
  return row.phone_number;
}

async function signedIn(): Promise<Browser> {
  const browser = application().openBrowser();
  await signIn(browser);
  await read(browser);
  return browser;
}

/** Opens a browser with a session that authenticated with these methods. */
async function signedInWith(methods: AuthenticationMethod[], phoneNumber: string | null): Promise<Browser> {
  const { database, sessions } = application().services;
  await setNumberOf(secretary.userName, null);
  const browser = await signedIn();
  await setNumberOf(secretary.userName, phoneNumber);
  const account = await database
    .selectFrom('users')
    .select(['id', 'security_version as securityVersion'])
    .where('user_name', '=', secretary.userName)
    .executeTakeFirstOrThrow();
  const issued = await sessions.signIn(undefined, {
    account,
    methods: provedNow(...methods),
    authSite: 'harbor',
  });
  browser.cookies.set('anteroom_session', { value: issued?.cookieValue ?? '', path: '/' });
  await read(browser);
  return browser;
}

async function messages(kind: 'sms' | 'mail') {
  await application().services.settleMessages();
  return await listMessages(application().services.database, kind);
}

async function codeSentTo(phoneNumber = number): Promise<string> {
  const last = (await messages('sms')).findLast(({ recipient }) => recipient === phoneNumber);
  return /#(\d{6})$/.exec(last?.text ?? '')?.[1] ?? '';
}

const otherThan = (code: string): string => (code === '000000' ? '111111' : '000000');

describe('a phone number on the account page', () => {
  test('is added by the code sent to it, which ends other sessions and notifies the user by mail', async () => {
    const elsewhere = await signedIn();
    const browser = await signedIn();
    expect((await askFor(browser, '\u202A+٤٤ (20) 7946/0777\u202C')).json()).toEqual({
      suffix: '77',
      codeValidityInMinutes: 10,
      nextCodeInSeconds: resendWaitSeconds,
    });
    expect((await messages('sms'))[0]?.text).toContain('the code to confirm this phone number');
    expect((await confirm(browser, await codeSentTo())).status).toBe(204);
    expect(await storedNumber()).toBe(number);
    expect(await read(browser)).toMatchObject({
      phoneNumber: { suffix: '77' },
      sessions: [{ isPresent: true }],
    });
    expect((await elsewhere.call('/api/ui/sites')).status).toBe(401);
    expect((await messages('mail')).map(({ text }) => text)).toEqual([
      expect.stringContaining('A phone number for sign-in codes was added to your account.'),
    ]);
    expect(await messages('sms')).toHaveLength(1);
  });

  test('can be changed, and the previous number and the mailbox are notified', async () => {
    const browser = await signedInWith(['pwd', 'sms'], present);
    await askFor(browser);
    expect((await confirm(browser, await codeSentTo())).status).toBe(204);
    expect(await storedNumber()).toBe(number);
    expect((await messages('sms')).at(-1)).toMatchObject({
      recipient: present,
      text: expect.stringContaining('This number no longer receives codes for your account.') as unknown,
    });
    expect((await messages('mail')).at(-1)?.text).toContain('was changed');
  });

  test('can be removed, and the number and the mailbox are notified', async () => {
    const elsewhere = await signedIn();
    const browser = await signedInWith(['pwd', 'sms'], present);
    expect((await send(browser, 'remove')).status).toBe(204);
    expect(await storedNumber()).toBeNull();
    expect((await elsewhere.call('/api/ui/sites')).status).toBe(401);
    expect((await messages('sms')).map(({ recipient }) => recipient)).toEqual([present]);
    expect((await messages('mail')).at(-1)?.text).toContain('was removed');
  });

  test.each(['', 'x', '020 7946 0777', '+0123456789', '+44', '+44 (0)20 7946 0777', '+٤٤ (٠)20 7946 0777'])(
    'cannot be %j',
    async (phoneNumber) => {
      const browser = await signedIn();
      const answer = await askFor(browser, phoneNumber);
      expect([answer.status, answer.json()['code']]).toEqual([400, 'mfa_invalid_phone_number']);
      expect(await messages('sms')).toEqual([]);
    },
  );

  test('cannot be verified, set or removed without authentication in the last 10 minutes [S25]', async () => {
    const browser = await signedInWith(['pwd', 'sms'], present);
    await askFor(browser);
    const code = await codeSentTo();
    application().clock.advanceSeconds(601);
    expect((await askFor(browser)).status).toBe(401);
    expect((await confirm(browser, code)).status).toBe(401);
    expect((await send(browser, 'remove')).status).toBe(401);
    expect(await storedNumber()).toBe(present);
  });

  test('cannot be changed after a password alone if the user has a second factor [S25]', async () => {
    const browser = await signedInWith(['pwd', 'sms'], present);
    await askFor(browser);
    const code = await codeSentTo();
    const weak = await signedInWith(['pwd'], present);
    // Sets the anti-forgery token of that session.
    await beginSignIn(weak, portal, { prompt: 'switch_site' });
    expect((await askFor(weak)).status).toBe(401);
    expect((await confirm(weak, code)).status).toBe(401);
    expect((await send(weak, 'remove')).status).toBe(401);
    expect(await storedNumber()).toBe(present);
  });

  test('a password alone cannot set up a factor if a site requires a factor and does not allow enrolment [S25]', async () => {
    const browser = await signedIn();
    await setSite({ second_factor_required: true });
    expect(await read(browser)).toMatchObject({ mayAddCodeFactor: false });
    expect((await askFor(browser)).json()['code']).toBe('forbidden');
    expect((await confirm(browser, '123456')).json()['code']).toBe('forbidden');
    const app = await browser.post('/api/ui/account/authenticator-app/set-up', { code: '123456' });
    expect(app.json()['code']).toBe('forbidden');
    expect(await messages('sms')).toEqual([]);

    await setSite({ second_factor_required: true, authenticator_apps: true });
    expect((await askFor(browser)).status).toBe(200);
  });

  test('cannot be added in a session that a company authenticated [S25]', async () => {
    const browser = await signedIn();
    await application()
      .services.database.updateTable('sessions')
      .set({ externally_authenticated: true })
      .execute();
    expect(await read(browser)).not.toHaveProperty('mayAddCodeFactor');
    expect((await askFor(browser)).json()['code']).toBe('unauthorized');
  });

  test('the last factor that a site requires cannot be removed [S25]', async () => {
    const browser = await signedInWith(['pwd', 'sms'], present);
    expect((await read(browser))['neededFactors']).toEqual([]);
    await setSite({ second_factor_required: true });
    expect((await read(browser))['neededFactors']).toEqual(['sms']);
    expect((await send(browser, 'remove')).json()['code']).toBe('site_requires_mfa');
    expect(await storedNumber()).toBe(present);
    expect(await messages('sms')).toEqual([]);
    await setSite({ second_factor_required: true, second_factors: 'totp' });
    expect((await send(browser, 'remove')).json()['code']).toBe('site_requires_mfa');
    const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000);
    await setSite({ second_factor_required: true, second_factor_from: tomorrow });
    expect((await send(browser, 'remove')).json()['code']).toBe('site_requires_mfa');
  });
});

describe('the code of a new phone number', () => {
  test('is valid only for its number and its session [S36]', async () => {
    const stranger = await signedIn();
    await askFor(stranger);
    const foreign = await codeSentTo();
    application().clock.advanceSeconds(resendWaitSeconds);
    const browser = await signedIn();
    expect((await confirm(browser, foreign)).json()['code']).toBe('invalid_credentials');
    await askFor(browser);
    const code = await codeSentTo();
    expect((await confirm(browser, code, '+442079460778')).json()['code']).toBe('invalid_credentials');
    expect(await storedNumber()).toBeNull();
    expect((await confirm(browser, code)).status).toBe(204);
  });

  test('allows five attempts in total for all numbers, until the user authenticates again [S35]', async () => {
    const browser = await signedIn();
    await askFor(browser);
    const code = await codeSentTo();
    const codes: unknown[] = [];
    for (const tried of [number, '+442079460778', number, number, number])
      codes.push((await confirm(browser, otherThan(code), tried)).json()['code']);
    expect(codes.slice(0, 4)).toEqual(Array(4).fill('invalid_credentials'));
    expect(codes[4]).toBe('mfa_max_attempts_exceeded');
    // The account has also reached its limit of failures, which all factors share.
    expect((await confirm(browser, code)).json()['code']).toBe('rate_limit_reached');
    await application().services.database.deleteFrom('limits').execute();
    expect((await confirm(browser, code)).json()['code']).toBe('mfa_max_attempts_exceeded');
    application().clock.advanceSeconds(resendWaitSeconds);
    expect((await askFor(browser, '+442079460778')).json()['code']).toBe('mfa_max_attempts_exceeded');
    expect(await storedNumber()).toBeNull();
  });

  test('expires after 10 minutes [S37]', async () => {
    const browser = await signedIn();
    await askFor(browser);
    const code = await codeSentTo();
    await application()
      .services.database.updateTable('one_time_codes')
      .set({ expires_at: application().clock.now() })
      .execute();
    expect((await confirm(browser, code)).json()['code']).toBe('mfa_token_expired');
  });

  test('is sent again only after the wait, and at most ten times a day per user, for all numbers [S38]', async () => {
    let browser = await signedIn();
    expect((await askFor(browser)).status).toBe(200);
    const again = await askFor(browser, '+442079460778');
    expect([again.status, again.headers['retry-after']]).toEqual([429, String(resendWaitSeconds)]);
    for (let sent = 1; sent < 10; sent += 1) {
      application().clock.advanceSeconds(300);
      browser = await signedIn();
      expect((await askFor(browser, `+44207946080${sent}`)).status).toBe(200);
    }
    application().clock.advanceSeconds(300);
    browser = await signedIn();
    expect((await askFor(browser, '+442079460799')).status).toBe(429);
    expect(await messages('sms')).toHaveLength(10);
  });

  test('neither answers nor limits reveal whether another user has the number [S29]', async () => {
    const director = 'director@demo.example';
    const theirs = await storedNumber(director);
    const { database } = application().services;
    // Uses up the daily limit of the number.
    const browser = await signedIn();
    const unknown = (await askFor(browser, '+442079460999')).json();
    await database.deleteFrom('code_messages').execute();
    await useUpCodesOf(director, theirs ?? '');
    application().clock.advanceSeconds(1);
    const known = await askFor(browser, theirs ?? '');
    expect(known.status).toBe(200);
    expect(known.json()).toEqual({ ...unknown, suffix: theirs?.slice(-2) });
    expect((await confirm(browser, await codeSentTo(theirs ?? ''), theirs ?? '')).status).toBe(204);
    expect(await storedNumber(director)).toBe(theirs);
  });
});

/** Sends the daily maximum of codes to the number of another user. */
async function useUpCodesOf(userName: string, phoneNumber: string): Promise<void> {
  const { database, factors } = application().services;
  const { id: userId } = await database
    .selectFrom('users')
    .select('id')
    .where('user_name', '=', userName)
    .executeTakeFirstOrThrow();
  const challenge = {
    userId,
    securityVersion: 0,
    owner: { phoneNumber, hasApp: false, hasPasskey: false, verifiedEmail: undefined },
    productName: undefined,
    siteDisplayName: undefined,
    language: 'en',
    log: application().services.log,
  } as const;
  for (let sent = 0; sent < 10; sent += 1) {
    await factors.begin([factorTable.sms], { ...challenge, uid: `sign-in ${sent}` });
    await database
      .updateTable('code_messages')
      .set({ sent_at: new Date(application().clock.now().getTime() - 3600_000) })
      .execute();
  }
}
