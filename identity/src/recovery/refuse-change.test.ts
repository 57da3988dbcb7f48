import { afterAll, beforeAll, expect, test } from 'vitest';
import { portal, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { secretary, sendPassword, signIn } from '../../testing/journeys.ts';
import {
  askForLink,
  deliverMails,
  obtainToken,
  openRecoveryPage,
  openToken,
  readLink,
  useToken,
} from '../../testing/recovery.ts';
import type { SentMail } from '../../testing/recovery.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { refusalValidityDays } from '../passwords/refusal-links.ts';
import { setOwnPhoneNumber } from '../users/users-store.ts';

const { userName } = secretary;
const invalid = { code: 'recovery_link_invalid' };

describeStore('refusing a change of the password', (store) => {
  let application: TestApplication;
  let passwordsSoFar = 0;
  beforeAll(async () => {
    application = await startApplication(store().database);
  });
  afterAll(() => application.close());

  /** Changes the password like an attacker; returns the new password and the e-mail about it. */
  async function changePassword(): Promise<{ password: string; mail: SentMail }> {
    // Avoids the limit of recovery mails, which other tests check.
    application.clock.advanceSeconds(2 * 60 * 60);
    const password = `seven lanterns over river ${(passwordsSoFar += 1)}`;
    expect((await useToken(application, await obtainToken(application, userName), password)).status).toBe(
      204,
    );
    const [mail, ...others] = await deliverMails(application);
    expect([mail?.subject, others]).toEqual(['Your password was changed', []]);
    return { password, mail: mail! };
  }

  const refuse = async (mail: SentMail, headers: Record<string, string> = {}) =>
    (await openRecoveryPage(application)).post(
      '/api/ui/recovery/refuse-change',
      { token: readLink(mail).hash.slice(1) },
      headers,
    );
  const tryPassword = async (password: string) => {
    const browser = application.openBrowser();
    return (
      await sendPassword(browser, await beginSignIn(browser, portal), { ...secretary, password })
    ).json();
  };

  test('ends all sessions, disables the password and e-mails a recovery link, once; parallel and later uses are rejected', async () => {
    const { password, mail } = await changePassword();
    const intruder = application.openBrowser();
    await signIn(intruder, portal, { ...secretary, password });
    expect((await intruder.call('/api/ui/sites')).status).toBe(200);

    const answers = await Promise.all(Array.from({ length: 5 }, () => refuse(mail)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(4);
    expect((await refuse(mail)).json()).toEqual(invalid);

    expect((await intruder.call('/api/ui/sites')).status).toBe(401);
    expect(await tryPassword(password)).toMatchObject({ code: 'invalid_credentials' });
    const [recovery, ...others] = await deliverMails(application);
    expect([recovery?.recipient, others]).toEqual([userName, []]);
    const token = readLink(recovery!).hash.slice(1);
    expect((await useToken(application, token, 'a password of my own again')).status).toBe(204);
    expect(await tryPassword('a password of my own again')).toMatchObject({ status: 'redirect' });
    await deliverMails(application);
  });

  test('opening the page, another method, and a cross-site request change nothing', async () => {
    const { password, mail } = await changePassword();
    const scanner = application.openBrowser();
    const { pathname, search, hash } = readLink(mail);
    expect([pathname, hash.length > 40]).toEqual(['/ui/recovery/not-me', true]);
    for (const path of [`${pathname}${search}`, '/api/ui/recovery/refuse-change']) await scanner.visit(path);
    expect((await refuse(mail, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await refuse(mail, { 'x-xsrf-token': '' })).status).toBe(403);
    expect(await tryPassword(password)).toMatchObject({ status: 'redirect' });
  });

  test('a refusal link cannot set a password, and a recovery link cannot refuse a change', async () => {
    const { mail } = await changePassword();
    expect((await openToken(application, readLink(mail).hash.slice(1))).json()).toEqual(invalid);
    await askForLink(await openRecoveryPage(application), userName);
    const [recovery] = await deliverMails(application);
    expect((await refuse(recovery!)).json()).toEqual(invalid);
  });

  test('is valid for a week, and one use ends the links of all earlier e-mails', async () => {
    const [first, second] = [await changePassword(), await changePassword()];
    application.clock.advanceSeconds(refusalValidityDays * 24 * 60 * 60 - 3 * 60 * 60);
    expect((await refuse(second.mail)).status).toBe(204);
    expect((await refuse(first.mail)).json()).toEqual(invalid);
    await deliverMails(application);

    const { mail } = await changePassword();
    application.clock.advanceSeconds(refusalValidityDays * 24 * 60 * 60);
    expect((await refuse(mail)).json()).toEqual(invalid);
  });

  test('removes a phone number that was set within the week, and keeps an older number', async () => {
    const { database } = store();
    const { id } = await database
      .selectFrom('users')
      .select('id')
      .where('user_name', '=', userName)
      .executeTakeFirstOrThrow();
    for (const [daysAgo, left] of [
      [refusalValidityDays - 1, null],
      [refusalValidityDays + 1, '+442079460777'],
    ] as const) {
      const at = new Date(application.clock.now().getTime() - daysAgo * 24 * 60 * 60 * 1000);
      await database
        .transaction()
        .execute((transaction) => setOwnPhoneNumber(transaction, id, { phoneNumber: '+442079460777', at }));
      const { mail } = await changePassword();
      expect((await refuse(mail)).status).toBe(204);
      await deliverMails(application);
      const row = await database
        .selectFrom('users')
        .select('phone_number')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(row.phone_number).toBe(left);
    }
  });

  test('the database has only the hash of the token after the e-mail was sent', async () => {
    const { mail } = await changePassword();
    const token = readLink(mail).hash.slice(1);
    const rows = await store().database.selectFrom('refusal_links').selectAll().execute();
    const notices = await store().database.selectFrom('notices').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify([rows, notices, application.log])).not.toContain(token);
  });
});
