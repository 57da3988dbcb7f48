import { beforeEach, describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { followToApplication, sendPassword, signIn } from '../../testing/journeys.ts';
import { latestCode } from '../../testing/outbox.ts';
import { deliverMails, findUserId, obtainToken, openToken, useToken } from '../../testing/recovery.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { addAccount, passwordOf } from '../../testing/two-users/accounts.ts';
import { useApplication } from '../../testing/use-application.ts';
import { addSeconds } from '../lib/clock.ts';
import { demoPassword } from '../demo/demo-data.ts';
import { deleteExpired } from '../store/expired-rows.ts';
import { linkValidityMinutes } from './link-limits.ts';

const application = useApplication();
const secretary = 'secretary@demo.example';
const director = 'director@demo.example';
const newPassword = 'seven lanterns over the river';
const invalid = { code: 'recovery_link_invalid' };

/** Resets all passwords to the demo password, and resets all counters. */
beforeEach(async () => {
  const { services, clock } = application();
  const { database, passwords } = services;
  const tables = ['limits', 'outbox', 'password_links', 'previous_passwords', 'code_messages'] as const;
  for (const table of tables) await database.deleteFrom(table).execute();
  clock.advanceSeconds(1);
  await database
    .updateTable('credentials')
    .set({ password_hash: await passwords.hash(demoPassword), changed_at: clock.now() })
    .execute();
});

const tryPassword = async (userName: string, password: string, site = 'harbor') => {
  const browser = application().openBrowser();
  return sendPassword(browser, await beginSignIn(browser, portal), { site, userName, password });
};

/** Whether this browser has a session. */
async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.call('/api/ui/sites')).status === 200;
}

describe('the link', () => {
  test('shows its user name and the password rules', async () => {
    const token = await obtainToken(application(), secretary);
    const answer = await openToken(application(), token);
    expect(answer.json()).toMatchObject({
      userName: secretary,
      passwordPolicy: { minimumLength: 15, policyLines: expect.arrayContaining([{ line: 'notBreached' }]) },
    });
  });

  test('is not consumed by opening it, by GET, HEAD or the call of the page [S43]', async () => {
    const token = await obtainToken(application(), secretary);
    const scanner = application().openBrowser();
    for (const path of ['/ui/recovery/new-password?culture=en', '/api/ui/recovery/new-password'])
      await scanner.visit(path);
    for (let look = 0; look < 3; look += 1) expect((await openToken(application(), token)).status).toBe(200);
    expect((await useToken(application(), token, newPassword)).status).toBe(204);
  });

  test('works once [S43]', async () => {
    const token = await obtainToken(application(), secretary);
    expect((await useToken(application(), token, newPassword)).status).toBe(204);
    const again = await useToken(application(), token, 'another lantern over the river');
    expect([again.status, again.json()]).toEqual([400, invalid]);
    expect((await openToken(application(), token)).json()).toEqual(invalid);
    expect((await tryPassword(secretary, newPassword)).json()['status']).toBe('redirect');
  });

  test('one of 50 parallel uses succeeds [S43]', async () => {
    const token = await obtainToken(application(), secretary);
    const passwords = Array.from({ length: 50 }, (_, index) => `${newPassword} number ${index}`);
    const answers = await Promise.all(passwords.map((password) => useToken(application(), token, password)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 204).map(({ json }) => json()['code']);
    // A busy machine may reject some requests as overloaded.
    expect([invalid.code, 'overloaded']).toEqual(expect.arrayContaining(refused));
    const winner = passwords[answers.findIndex(({ status }) => status === 204)] ?? '';
    expect((await tryPassword(secretary, winner)).json()['status']).toBe('redirect');
  });

  test('works for 30 minutes [S43]', async () => {
    const { clock } = application();
    const token = await obtainToken(application(), secretary);
    clock.advanceSeconds(linkValidityMinutes * 60 - 1);
    expect((await openToken(application(), token)).status).toBe(200);
    clock.advanceSeconds(1);
    expect((await openToken(application(), token)).json()).toEqual(invalid);
    expect((await useToken(application(), token, newPassword)).json()).toEqual(invalid);
  });

  test('is replaced by a newer link [S43]', async () => {
    const older = await obtainToken(application(), secretary);
    const newer = await obtainToken(application(), secretary);
    expect((await useToken(application(), older, newPassword)).json()).toEqual(invalid);
    expect((await useToken(application(), newer, newPassword)).status).toBe(204);
  });

  test('becomes invalid with a password change [S43]', async () => {
    const token = await obtainToken(application(), secretary);
    const { services, clock } = application();
    clock.advanceSeconds(1);
    await services.database
      .updateTable('credentials')
      .set({ changed_at: clock.now() })
      .where('user_id', '=', await findUserId(application(), secretary))
      .execute();
    expect((await openToken(application(), token)).json()).toEqual(invalid);
    expect((await useToken(application(), token, newPassword)).json()).toEqual(invalid);
  });

  test('is invalid for another account, an unknown token or a disabled user [S43]', async () => {
    await obtainToken(application(), director);
    for (const token of ['x', 'A'.repeat(43), `${'A'.repeat(42)}'`])
      expect((await useToken(application(), token, newPassword)).json()).toEqual(invalid);

    const token = await obtainToken(application(), secretary);
    const { database } = application().services;
    const setStatus = (status: 'active' | 'disabled') =>
      database.updateTable('users').set({ status }).where('user_name', '=', secretary).execute();
    await setStatus('disabled');
    expect((await useToken(application(), token, newPassword)).json()).toEqual(invalid);
    await setStatus('active');
    expect((await tryPassword(director, newPassword)).json()['code']).toBe('invalid_credentials');
  });
});

describe('a new password', () => {
  test('replaces the old password, and the user gets a notice by e-mail', async () => {
    const token = await obtainToken(application(), secretary);
    await useToken(application(), token, newPassword);
    expect((await tryPassword(secretary, demoPassword)).json()['code']).toBe('invalid_credentials');
    expect((await tryPassword(secretary, newPassword)).json()['status']).toBe('redirect');
    const [notice, ...others] = await deliverMails(application());
    expect(others).toEqual([]);
    expect(notice).toMatchObject({ recipient: secretary, subject: 'Your password was changed' });
  });

  test('does not sign the user in', async () => {
    const token = await obtainToken(application(), secretary);
    const browser = application().openBrowser();
    await browser.call('/api/ui/recovery/context');
    const before = browser.cookies.get('anteroom_session')?.value;
    const confirmed = { newPassword, newPasswordConfirmation: newPassword };
    expect((await browser.post('/api/ui/recovery/new-password', { token, ...confirmed })).status).toBe(204);
    expect(browser.cookies.get('anteroom_session')?.value).toBe(before);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('ends all sessions of the user, including that of this browser, and no session of another user', async () => {
    const [own, other] = [application().openBrowser(), application().openBrowser()];
    await signIn(own);
    await signIn(other, {}, { site: 'harbor', userName: secretary, password: demoPassword });
    expect([await isSignedIn(own), await isSignedIn(other)]).toEqual([true, true]);
    const stranger = await addAccount(application(), { hasPhone: false });
    const strangersBrowser = application().openBrowser();
    await signIn(strangersBrowser, {}, { ...passwordOf(stranger), site: 'harbor' });
    const token = await obtainToken(application(), secretary);
    const confirmed = { newPassword, newPasswordConfirmation: newPassword };
    await own.call('/api/ui/recovery/context');
    expect((await own.post('/api/ui/recovery/new-password', { token, ...confirmed })).status).toBe(204);
    expect([await isSignedIn(own), await isSignedIn(other)]).toEqual([false, false]);
    expect(await isSignedIn(strangersBrowser)).toBe(true);
    const { database } = application().services;
    const userId = await findUserId(application(), secretary);
    const records = await database
      .selectFrom('openid_records')
      .select('model')
      .where('account_id', '=', userId)
      .where('model', '!=', 'Interaction')
      .execute();
    expect(records).toEqual([]);
  });

  test('ends a sign-in that waits for a code after the old password', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    const answer = await sendPassword(browser, started, {
      site: 'northwind',
      userName: director,
      password: demoPassword,
    });
    expect(answer.json()['status']).toBe('second_factor_required');
    const code = await readCode();
    await useToken(application(), await obtainToken(application(), director), newPassword);
    const verified = await browser.post('/api/ui/verify-mfa-code', { returnUrl: started.returnUrl, code });
    expect(verified.status).toBe(401);
  });

  test('keeps the second factor and forgets remembered devices', async () => {
    const { database, clock } = application().services;
    const userId = await findUserId(application(), director);
    await application().services.factors.devices.remember(undefined, {
      id: userId,
      securityVersion: 0,
    });
    await useToken(application(), await obtainToken(application(), director), newPassword);
    const devices = await database
      .selectFrom('remembered_devices')
      .select('expires_at')
      .where('user_id', '=', userId)
      .where('expires_at', '>', clock.now())
      .execute();
    expect(devices).toEqual([]);

    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    const answer = await sendPassword(browser, started, {
      site: 'northwind',
      userName: director,
      password: newPassword,
    });
    expect(answer.json()['status']).toBe('second_factor_required');
    const verified = await browser.post('/api/ui/verify-mfa-code', {
      returnUrl: started.returnUrl,
      code: await readCode(),
    });
    expect((await followToApplication(browser, verified)).get('code')).not.toBeNull();
  });

  test('ends the wait after failures with the old password', async () => {
    for (let failure = 0; failure < 6; failure += 1) await tryPassword(secretary, 'wrong');
    expect((await tryPassword(secretary, demoPassword)).json()['status']).not.toBe('redirect');
    await useToken(application(), await obtainToken(application(), secretary), newPassword);
    expect((await tryPassword(secretary, newPassword)).json()['status']).toBe('redirect');
  });

  test('satisfies a required password change', async () => {
    const newcomer = 'newcomer@demo.example';
    await useToken(application(), await obtainToken(application(), newcomer), newPassword);
    expect((await tryPassword(newcomer, newPassword)).json()['status']).toBe('redirect');
  });

  test.each([
    ['minimumLength', 'short', 'This password is too short. Use at least 15 characters.'],
    [
      'notContainsUserName',
      'secretary@demo.example',
      'This password is based on your user name. Choose another one.',
    ],
    ['notReused', demoPassword, 'You have used this password before. Choose another one.'],
  ])(
    'a password that violates %s is rejected with the reason, and the link stays valid: %s [S41]',
    async (policyLine, password, reason) => {
      const token = await obtainToken(application(), secretary);
      const answer = await useToken(application(), token, password);
      expect([answer.status, answer.json()]).toEqual([
        400,
        { code: 'invalid_new_password', description: reason, policyLine },
      ]);
      expect((await useToken(application(), token, newPassword)).status).toBe(204);
    },
  );

  test('must match its confirmation once it meets the rules, and the link stays valid', async () => {
    const token = await obtainToken(application(), secretary);
    const answer = await useToken(application(), token, newPassword, `${newPassword}.`);
    expect([answer.status, answer.json()]).toEqual([400, { code: 'passwords_do_not_match' }]);
    const short = await useToken(application(), token, 'short', 'shirt');
    expect(short.json()).toMatchObject({ code: 'invalid_new_password' });
    expect((await openToken(application(), token)).status).toBe(200);
  });

  test('must meet the rules of every site of the user', async () => {
    const { database } = application().services;
    const setPolicy = (policy: object | null) =>
      database
        .updateTable('sites')
        .set({ password_policy: policy && JSON.stringify(policy) })
        .where('name', '=', 'summit')
        .execute();
    await setPolicy({ minimumLength: 40 });
    const token = await obtainToken(application(), director);
    const answer = await useToken(application(), token, newPassword);
    await setPolicy(null);
    expect(answer.json()['description']).toBe('This password is too short. Use at least 40 characters.');
  });

  test('the log contains neither token nor password [S64]', async () => {
    const token = await obtainToken(application(), secretary);
    await useToken(application(), token, 'short');
    await useToken(application(), token, newPassword);
    const log = JSON.stringify(application().log);
    expect(log).toContain('recovery.new-password: success');
    for (const secret of [token, newPassword]) expect(log).not.toContain(secret);
  });

  test('expired links are deleted', async () => {
    await obtainToken(application(), secretary);
    const { database, clock } = application().services;
    expect(await deleteExpired(database, 'password_links', clock.now())).toBe(0);
    expect(
      await deleteExpired(database, 'password_links', addSeconds(clock.now(), linkValidityMinutes * 60)),
    ).toBe(1);
  });
});

/** The code of the latest text message. */
const readCode = () => latestCode(application().services.database);
