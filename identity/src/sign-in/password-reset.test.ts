import { beforeEach, describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import {
  followToApplication,
  obtainTokens,
  readIdToken,
  redeem,
  secretary,
  sendPassword,
  signIn,
} from '../../testing/journeys.ts';
import { latestCode } from '../../testing/outbox.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { demoPassword } from '../demo/demo-data.ts';

const application = useApplication();
const newcomer = { site: 'harbor', userName: 'newcomer@demo.example', password: demoPassword };
const director = { site: 'northwind', userName: 'director@demo.example', password: demoPassword };
const fresh = 'lantern velvet oxbow 31';

const userIdOf = async (userName: string): Promise<string> => {
  const row = await application()
    .services.database.selectFrom('sign_in_names')
    .select('user_id')
    .where('name_key', '=', userName)
    .executeTakeFirstOrThrow();
  return row.user_id;
};

/** Restores the demo passwords, and clears failures and changes. */
beforeEach(async () => {
  const { database, passwords, clock, settleMessages } = application().services;
  // otherwise the mail of the previous test could be stored after the outbox is emptied
  await settleMessages();
  for (const table of [
    'limits',
    'outbox',
    'code_messages',
    'remembered_devices',
    'previous_passwords',
  ] as const)
    await database.deleteFrom(table).execute();
  await database
    .updateTable('credentials')
    .set({ password_hash: await passwords.hash(demoPassword), changed_at: clock.now(), must_change: false })
    .execute();
  await database
    .updateTable('credentials')
    .set({ must_change: true })
    .where('user_id', '=', await userIdOf(newcomer.userName))
    .execute();
});

type Fields = { currentPassword?: string; newPassword?: string; newPasswordConfirmation?: string };

function change(
  browser: Browser,
  returnUrl: string,
  { currentPassword = demoPassword, newPassword = fresh, newPasswordConfirmation = newPassword }: Fields = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = { returnUrl, currentPassword, newPassword, newPasswordConfirmation };
  return browser.post('/api/ui/password-reset', body, headers);
}

const readCode = () => latestCode(application().services.database);

/** Signs the newcomer in up to the required password change. */
async function askedToChange(browser = application().openBrowser()) {
  const started = await beginSignIn(browser, portal);
  const answer = await sendPassword(browser, started, newcomer);
  return { browser, started, answer, returnUrl: started.returnUrl };
}

/** Signs a browser in and begins a voluntary password change. */
async function cameToChange(browser = application().openBrowser()) {
  await signIn(browser);
  const started = await beginSignIn(browser, portal, { prompt: 'change_password' });
  return { browser, started, returnUrl: started.returnUrl };
}

const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.call('/api/ui/sites')).status === 200;

describe('a required password change', () => {
  test('is requested after the password and completes the sign-in [I04]', async () => {
    const { browser, started, answer, returnUrl } = await askedToChange();
    expect(answer.json()).toEqual({ status: 'password_reset_required' });
    expect(await isSignedIn(browser)).toBe(false);
    const claims = readIdToken(
      await obtainTokens(application(), browser, started, await change(browser, returnUrl)),
    );
    expect(claims).toMatchObject({ site: 'harbor', amr: ['pwd'] });

    const later = application().openBrowser();
    const again = await sendPassword(later, await beginSignIn(later, portal), {
      ...newcomer,
      password: fresh,
    });
    expect(again.json()).toMatchObject({ status: 'redirect' });
  });

  test('the session begins with a new id [S22]', async () => {
    const { browser, returnUrl } = await askedToChange();
    const before = browser.cookies.get('anteroom_session')?.value;
    await change(browser, returnUrl);
    expect(browser.cookies.get('anteroom_session')?.value).not.toBe(before);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('is refused without the password and before the code [S25]', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    expect((await change(browser, returnUrl)).json()).toEqual({ code: 'unauthorized' });
    await sendPassword(browser, { returnUrl }, director);
    expect((await change(browser, returnUrl)).json()).toEqual({ code: 'unauthorized' });
    const stranger = application().openBrowser();
    await beginSignIn(stranger, portal);
    expect((await change(stranger, (await askedToChange()).returnUrl)).status).toBe(404);
  });

  test('must follow within ten minutes of the password; until then, a reloaded page can continue there', async () => {
    const { browser, returnUrl } = await askedToChange();
    const context = async () => (await browser.call('/api/ui/auth-context', { returnUrl })).json();
    expect(await context()).toMatchObject({ awaitedStep: 'password_reset_required' });
    application().clock.advanceSeconds(601);
    expect(await context()).not.toHaveProperty('awaitedStep');
    expect((await change(browser, returnUrl)).json()).toEqual({ code: 'unauthorized' });
  });

  test('comes after the code for a user with a second factor, who is not asked for the code again', async () => {
    const { database } = application().services;
    await database
      .updateTable('credentials')
      .set({ must_change: true })
      .where('user_id', '=', await userIdOf(director.userName))
      .execute();
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    expect((await sendPassword(browser, { returnUrl }, director)).json()).toMatchObject({
      status: 'second_factor_required',
    });
    const verified = await browser.post('/api/ui/verify-mfa-code', { returnUrl, code: await readCode() });
    expect(verified.json()).toEqual({ status: 'password_reset_required' });
    expect((await change(browser, returnUrl)).json()).toMatchObject({ status: 'redirect' });
  });
});

describe('a voluntary password change', () => {
  test('completes the application’s request [I04]', async () => {
    const { browser, started, returnUrl } = await cameToChange();
    const tokens = await obtainTokens(application(), browser, started, await change(browser, returnUrl));
    expect(tokens.status).toBe(200);
  });

  test('needs a request of the application: a stolen cookie alone changes nothing [S42]', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    const { returnUrl } = await beginSignIn(browser, portal, { prompt: 'elevate' });
    expect((await change(browser, returnUrl)).json()).toEqual({ code: 'unauthorized' });
    expect((await change(browser, '/elsewhere')).status).toBe(404);
  });

  test('is not requested again once it is completed, also if the user must then select a site [4.6]', async () => {
    const { browser, started, returnUrl } = await cameToChange();
    const { database } = application().services;
    const entitle = (isMet: boolean) =>
      database.updateTable('memberships').set({ entitlement_requirements_met: isMet }).execute();
    await entitle(false);
    expect((await change(browser, returnUrl)).json()).toMatchObject({ status: 'select_site_required' });
    for (const [address, query] of [
      ['/api/ui/refresh-context', {}],
      ['/api/ui/auth-context', { returnUrl }],
    ] as const) {
      const context = (await browser.call(address, query)).json();
      expect(context).toMatchObject({ selectSite: true, session: { state: 'valid' } });
      expect(context).not.toHaveProperty('promptMethod');
    }
    await entitle(true);
    const chosen = await browser.post('/api/ui/auth/select-site', { returnUrl, site: 'harbor' });
    const { code } = Object.fromEntries(await followToApplication(browser, chosen));
    expect((await redeem(application(), { ...started, code: String(code) })).status).toBe(200);
  });

  test('ends every other session at once, and continues this session with a new id [S23]', async () => {
    const elsewhere = application().openBrowser();
    await signIn(elsewhere);
    const { browser, returnUrl } = await cameToChange();
    const before = browser.cookies.get('anteroom_session')?.value;
    const old = application().openBrowser();
    for (const [name, cookie] of browser.cookies) old.cookies.set(name, cookie);

    await change(browser, returnUrl);
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect(await isSignedIn(old)).toBe(false);
    expect(await isSignedIn(browser)).toBe(true);
    expect(browser.cookies.get('anteroom_session')?.value).not.toBe(before);
  });

  test('revokes the grants of other browsers', async () => {
    const elsewhere = application().openBrowser();
    const started = await signIn(elsewhere, { scope: 'openid offline_access', prompt: 'consent' });
    const tokens = (await redeem(application(), started)).json();
    const { browser, returnUrl } = await cameToChange();
    await change(browser, returnUrl);
    const refreshed = await redeem(
      application(),
      { code: '', codeVerifier: '' },
      { grant_type: 'refresh_token', refresh_token: String(tokens['refresh_token']) },
    );
    expect(refreshed.json()).toMatchObject({ error: 'invalid_grant' });
  });

  test('restarts sign-ins in other browsers that used the old password', async () => {
    const { browser: half, returnUrl: halfway } = await askedToChange();
    const { browser, returnUrl } = await askedToChange();
    await change(browser, returnUrl);
    expect((await change(half, halfway, { currentPassword: fresh })).json()).toEqual({
      code: 'unauthorized',
    });
  });

  test('forgets remembered computers', async () => {
    const { services } = application();
    const userId = await userIdOf(secretary.userName);
    const token = await services.factors.devices.remember(undefined, {
      id: userId,
      securityVersion: 0,
    });
    const { browser, returnUrl } = await cameToChange();
    await change(browser, returnUrl);
    expect(await services.factors.devices.isRemembered(token, userId)).toBe(false);
  });

  test('informs the user by mail in the language of the page, without a secret', async () => {
    const { browser, returnUrl } = await cameToChange();
    await change(browser, returnUrl, {}, { 'accept-language': 'ar' });
    await application().services.settleMessages();
    const mails = await application().services.database.selectFrom('outbox').selectAll().execute();
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ kind: 'mail', recipient: 'secretary@demo.example' });
    expect(mails[0]?.subject).toMatch(/\p{Script=Arabic}/u);
    expect(mails[0]?.text).not.toMatch(/lantern|quiet/);
  });

  test('one of two parallel changes succeeds, and the other gets invalid_credentials [S42]', async () => {
    const first = await cameToChange();
    const second = await cameToChange();
    const answers = await Promise.all([
      change(first.browser, first.returnUrl, { newPassword: `${fresh} one` }),
      change(second.browser, second.returnUrl, { newPassword: `${fresh} two` }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // The other request gets 401 because of the change, or 404 because the session has already ended.
    expect(answers.filter(({ status }) => status === 401 || status === 404)).toHaveLength(1);
    const kept = await application().services.database.selectFrom('previous_passwords').selectAll().execute();
    expect(kept).toHaveLength(1);
  });
});

describe('a refused password change', () => {
  test('counts a wrong current password as a failed sign-in [S42]', async () => {
    const { browser, returnUrl } = await cameToChange();
    for (let failure = 0; failure < 5; failure += 1) {
      const answer = await change(browser, returnUrl, { currentPassword: `wrong ${failure}` });
      expect(answer.status).toBe(401);
      expect(answer.json()).toEqual({ code: 'invalid_credentials' });
    }
    const locked = await change(browser, returnUrl);
    expect(locked.status).toBe(429);
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0);
    expect(
      (await sendPassword(browser, await beginSignIn(browser, portal, { prompt: 'login' }))).status,
    ).toBe(429);
  });

  test('with several faults names the wrong current password, then the rule, then the difference', async () => {
    const { browser, returnUrl } = await cameToChange();
    const faults = { currentPassword: 'wrong', newPassword: 'short', newPasswordConfirmation: 'shirt' };
    const codes: unknown[] = [];
    for (const known of [
      {},
      { currentPassword: undefined },
      { currentPassword: undefined, newPassword: fresh },
    ]) {
      const answer = await change(browser, returnUrl, { ...faults, ...known });
      codes.push(answer.json().code);
    }
    expect(codes).toEqual(['invalid_credentials', 'invalid_new_password', 'passwords_do_not_match']);
  });

  test('is refused for two different new passwords [I04]', async () => {
    const { browser, returnUrl } = await cameToChange();
    const answer = await change(browser, returnUrl, { newPasswordConfirmation: `${fresh}.` });
    expect(answer.status).toBe(400);
    expect(answer.json()).toEqual({ code: 'passwords_do_not_match' });
  });

  test.each([
    ['minimumLength', 'en', 'short', 'This password is too short. Use at least 15 characters.'],
    ['minimumLength', 'ar', 'short', 'كلمة المرور هذه قصيرة جدًا. الحد الأدنى 15 حرفًا.'],
    ['maximumLength', 'en', 'x'.repeat(300), 'This password is too long. Use at most 256 characters.'],
    ['notCommon', 'en', 'christopher12345', 'This password is easy to guess. Choose another one.'],
    [
      'notContainsUserName',
      'en',
      'secretary@demo.example',
      'This password is based on your user name. Choose another one.',
    ],
    [
      'notContainsSiteName',
      'en',
      'harbor-harbor trust',
      'This password is based on your organisation’s name. Choose another one.',
    ],
    ['notReused', 'en', demoPassword, 'You have used this password before. Choose another one.'],
  ])(
    'is refused for a new password that breaks a rule, with the rule and its text in the language of the page: %s %s %s',
    async (policyLine, language, newPassword, description) => {
      const { browser, returnUrl } = await cameToChange();
      const answer = await change(browser, returnUrl, { newPassword }, { 'accept-language': language });
      expect(answer.status).toBe(400);
      expect(answer.json()).toEqual({ code: 'invalid_new_password', description, policyLine });
    },
  );

  test('is refused for a previous password, even after others', async () => {
    const { browser, returnUrl } = await cameToChange();
    await change(browser, returnUrl);
    const again = await beginSignIn(browser, portal, { prompt: 'change_password' });
    const answer = await change(browser, again.returnUrl, {
      currentPassword: fresh,
      newPassword: demoPassword,
    });
    expect(answer.json()).toMatchObject({ code: 'invalid_new_password' });
  });

  test('is refused for more than 256 characters before a hash is computed', async () => {
    const { browser, returnUrl } = await cameToChange();
    const { metrics } = application().services;
    const hashes = async (): Promise<number> => {
      const lines = (await metrics.registry.metrics()).split('\n');
      return Number(
        lines.find((line) => line.startsWith('anteroom_password_hash_seconds_count'))?.split(' ')[1],
      );
    };
    const before = await hashes();
    await change(browser, returnUrl, { newPassword: 'x'.repeat(257) });
    // Only the current password was hashed.
    expect((await hashes()) - before).toBe(1);
    await change(browser, returnUrl, { currentPassword: 'x'.repeat(257) });
    expect((await hashes()) - before).toBe(1);
  });

  test('changes nothing', async () => {
    const elsewhere = application().openBrowser();
    await signIn(elsewhere);
    const { browser, returnUrl } = await cameToChange();
    await change(browser, returnUrl, { newPassword: 'short' });
    expect(await isSignedIn(elsewhere)).toBe(true);
    expect((await change(browser, returnUrl)).json()).toMatchObject({ status: 'redirect' });
  });
});

test('logs no password, and every change with its user [S64]', async () => {
  const { log } = application();
  log.length = 0;
  const { browser, returnUrl } = await cameToChange();
  await change(browser, returnUrl, { currentPassword: 'not the right one 77' });
  await change(browser, returnUrl);
  const text = JSON.stringify(log);
  for (const secret of [demoPassword, fresh, 'not the right one 77']) expect(text).not.toContain(secret);
  const userId = await userIdOf(secretary.userName);
  expect(log).toContainEqual(
    expect.objectContaining({
      event: 'password.change',
      userId,
      result: 'failure',
      reason: 'wrong current password',
    }),
  );
  expect(log).toContainEqual(
    expect.objectContaining({ event: 'password.change', result: 'success', userId }),
  );
});

describe('the password policy', () => {
  const ask = async (body: object): Promise<Answer> => {
    const browser = application().openBrowser();
    await beginSignIn(browser, portal);
    return await browser.post('/api/ui/password-policy', body);
  };

  test('is the same for users who exist and who do not', async () => {
    const known = await ask({ userName: 'director@demo.example', site: 'harbor' });
    const unknown = await ask({ userName: 'nobody@demo.example', site: 'harbor' });
    expect(known.status).toBe(200);
    expect(known.text).toBe(unknown.text);
    expect(known.json()).toMatchObject({ minimumLength: 15, maximumLength: 256 });
  });

  test('requires 8 characters at a site with a second factor, and 15 elsewhere', async () => {
    expect((await ask({ site: 'summit' })).json()).toMatchObject({ minimumLength: 8 });
    expect((await ask({ site: 'no such site' })).json()).toMatchObject({ minimumLength: 15 });
    expect((await ask({})).json()).toMatchObject({ minimumLength: 15 });
  });

  test('of a site with its own rules is shown and enforced [I21]', async () => {
    const { database } = application().services;
    await database
      .updateTable('sites')
      .set({ password_policy: JSON.stringify({ minimumDigits: 4, minimumSpecial: 1 }) })
      .where('name', '=', 'harbor')
      .execute();
    const policy = (await ask({ site: 'harbor' })).json();
    expect(policy).toMatchObject({ minimumDigits: 4, minimumSpecial: 1 });
    expect(policy['policyLines']).toContainEqual({ line: 'minimumDigits' });
    const { browser, returnUrl } = await cameToChange();
    expect((await change(browser, returnUrl)).json()).toMatchObject({
      description: 'Use at least 4 digits.',
    });
    await database.updateTable('sites').set({ password_policy: null }).execute();
  });
});
