import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { portal, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { followToApplication, redeem, sendPassword } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { addAccount, latestCodeOf, passwordOf, withoutLimits } from '../../testing/two-users/accounts.ts';
import type { Account } from '../../testing/two-users/accounts.ts';
import { holdHashes } from '../../testing/two-users/held-hashes.ts';
import type { HeldHashes } from '../../testing/two-users/held-hashes.ts';
import { holdInserts } from '../../testing/two-users/held-inserts.ts';
import { demoPassword } from '../demo/demo-data.ts';

// Attacks and faults, S23 and S25: an account changes, or a session ends, while a call of the same sign-in is in flight.

describeStore('a sign-in whose account or session changes', (store, kind) => {
  let application: TestApplication;
  let hashes: HeldHashes;

  beforeAll(async () => {
    application = await startApplication(store().database, { settings: withoutLimits });
    hashes = holdHashes([application]);
    return () => application.close();
  });
  afterEach(() => hashes.letGo());

  type Started = { returnUrl: string };

  const authenticate = (browser: Browser, { returnUrl }: Started, who: Account) =>
    sendPassword(browser, { returnUrl }, { ...passwordOf(who), site: 'harbor' });
  const verify = async (browser: Browser, { returnUrl }: Started, whose: Account) =>
    browser.post('/api/ui/verify-mfa-code', { returnUrl, code: await latestCodeOf(application, whose) });
  const select = (browser: Browser, { returnUrl }: Started) =>
    browser.post('/api/ui/auth/select-site', { returnUrl, site: 'harbor' });
  const changePassword = (browser: Browser, { returnUrl }: Started) =>
    browser.post('/api/ui/password-reset', {
      returnUrl,
      currentPassword: demoPassword,
      newPassword: 'lantern velvet oxbow 31',
      newPasswordConfirmation: 'lantern velvet oxbow 31',
    });
  const findSignedIn = async (browser: Browser) =>
    (await browser.call('/api/ui/sites')).json()['userFirstName'];

  const run = async (words: string) =>
    expect(await createCommandLine(store(), application.clock).run(words)).toMatchObject({ code: 0 });
  const changePhoneNumber = ({ userName }: Account) =>
    run(`users add ${userName} --phone-number +442079461199 --update`);
  const requireChange = ({ id }: Account) =>
    store()
      .database.updateTable('credentials')
      .set({ must_change: true })
      .where('user_id', '=', id)
      .execute();

  /** Signs in. The browser then has a session, and the application has an authorization code. */
  async function signIn(account: Account): Promise<Browser> {
    const browser = application.openBrowser();
    await followToApplication(
      browser,
      await authenticate(browser, await beginSignIn(browser, portal), account),
    );
    return browser;
  }

  test('refuses a required password change if the phone number changes during the check of the current password [S23]', async () => {
    const account = await addAccount(application);
    await requireChange(account);
    const browser = application.openBrowser();
    const started = await beginSignIn(browser, portal);
    await authenticate(browser, started, account);
    expect((await verify(browser, started, account)).json()).toMatchObject({
      status: 'password_reset_required',
    });
    hashes.hold(1);
    const changing = changePassword(browser, started);
    await hashes.untilHeld([changing]);
    await changePhoneNumber(account);
    hashes.letGo();
    const answer = await changing;
    expect([answer.status, answer.json()['code']]).toEqual([401, 'invalid_credentials']);
    expect(await findSignedIn(browser)).toBeUndefined();
  });

  test('accepts a right password that is sent again while the same password is checked', async () => {
    const account = await addAccount(application, { hasPhone: false });
    await requireChange(account);
    const browser = application.openBrowser();
    const started = await beginSignIn(browser, portal);
    const send = () => authenticate(browser, started, account);
    await send();
    application.clock.advanceSeconds(1);
    hashes.hold(2);
    const both = [send(), send()];
    await hashes.untilHeld(both);
    hashes.letGo();
    const answers = await Promise.all(both);
    const answer = { status: 'password_reset_required' };
    expect(answers.map((one) => one.json())).toMatchObject([answer, answer]);
  });

  test('does not remember a computer if the phone number changes after the code was verified [S23]', async () => {
    const account = await addAccount(application);
    const browser = application.openBrowser();
    const started = await beginSignIn(browser, portal);
    await authenticate(browser, started, account);
    const { devices } = application.services.factors;
    const remember = devices.remember.bind(devices);
    devices.remember = async (...given) => {
      devices.remember = remember;
      await changePhoneNumber(account);
      return await remember(...given);
    };
    await verify(browser, started, account);
    const again = await authenticate(browser, await beginSignIn(browser, portal), account);
    expect(again.json()).toMatchObject({ status: 'second_factor_required' });
  });

  test.each(['login', 'elevate'])(
    'prompt=%s is requested again from the next user in the same browser [S25]',
    async (prompt) => {
      const first = await addAccount(application, { hasPhone: false });
      const next = await addAccount(application, { hasPhone: false });
      const browser = await signIn(first);
      application.clock.advanceSeconds(5);
      const asked = await beginSignIn(browser, portal, { prompt: `${prompt} switch_site` });
      const proved = await authenticate(browser, asked, first);
      const siteChoice = await followToPage(browser, proved.json()['location']);

      const elsewhere = await beginSignIn(browser, portal, { prompt: 'switch_tenant' });
      await followToApplication(browser, await authenticate(browser, elsewhere, next));
      application.clock.advanceSeconds(300);
      expect(await findSignedIn(browser)).toBe(next.id);

      // Without oidc-provider's session, the request would continue with the first user's proof.
      for (const name of ['anteroom_provider', 'anteroom_provider.sig'])
        expect(browser.cookies.delete(name)).toBe(true);
      const chosen = await select(browser, siteChoice);
      const promptAgain = await followToPage(browser, chosen.json()['location']);
      expect((await select(browser, promptAgain)).json()).toEqual({ status: 'credentials_required' });
    },
  );

  /** Follows a redirect that ends on the sign-in page again. */
  async function followToPage(browser: Browser, location: unknown): Promise<Started> {
    const { address } = await browser.follow(String(location));
    expect(address.pathname).toBe('/ui/account/login');
    return { returnUrl: address.searchParams.get('ReturnUrl') ?? '' };
  }

  test('changes a required password in a browser whose previous session has expired', async () => {
    const account = await addAccount(application, { hasPhone: false });
    const browser = await signIn(account);
    application.clock.advanceSeconds(3 * 3600);
    await requireChange(account);
    const started = await beginSignIn(browser, portal);
    expect((await authenticate(browser, started, account)).json()).toMatchObject({
      status: 'password_reset_required',
    });
    expect((await changePassword(browser, started)).json()).toMatchObject({ status: 'redirect' });
    expect(await findSignedIn(browser)).toBe(account.id);
  });

  test('changes the password on a node whose hashing costs more than the stored hash', async () => {
    const { clock, keys } = application;
    const settings = { ...withoutLimits, ARGON2_TIME_COST: '2' };
    const node = await startApplication(store().database, { clock, keys, settings });
    try {
      const browser = await signIn(await addAccount(application, { hasPhone: false }));
      const started = await beginSignIn(browser, portal, { prompt: 'change_password' });
      expect((await changePassword(browser.at(node.app), started)).json()).toMatchObject({
        status: 'redirect',
      });
    } finally {
      await node.close();
    }
  });

  test('a password change does not extend the session', async () => {
    const account = await addAccount(application, { hasPhone: false });
    const browser = await signIn(account);
    const end = new Date(application.clock.now().getTime() + 600_000);
    const { database } = store();
    await database
      .updateTable('sessions')
      .set({ absolute_expires_at: end })
      .where('user_id', '=', account.id)
      .execute();
    const started = await beginSignIn(browser, portal, { prompt: 'change_password' });
    expect((await changePassword(browser, started)).json()).toMatchObject({ status: 'redirect' });
    const live = database
      .selectFrom('sessions')
      .select('absolute_expires_at')
      .where('user_id', '=', account.id)
      .where('ended_at', 'is', null);
    expect(await live.execute()).toEqual([{ absolute_expires_at: end }]);
  });

  // These tests pause a transaction, which the single connection of the embedded database does not allow.
  describe.runIf(kind === 'PostgreSQL')('while an insert is in flight', () => {
    test('refuses a code that was sent to the previous phone number [S23, S36]', async () => {
      const { clock, keys } = application;
      // With a wait between two messages, during which the first code stays valid.
      const settings = { ...withoutLimits, CODE_LIMITS: 'on' };
      const node = await startApplication(store().database, { clock, keys, settings });
      try {
        const account = await addAccount(application);
        const browser = node.openBrowser();
        const started = await beginSignIn(browser, portal);
        await holdInserts(store().database, { table: 'one_time_codes' }, async (held) => {
          const sending = authenticate(browser, started, account);
          await held.untilHeld();
          await changePhoneNumber(account);
          await held.letGo();
          expect((await sending).json()).toMatchObject({ status: 'second_factor_required' });
        });
        await authenticate(browser, started, account);
        const verified = await verify(browser, started, account);
        expect([verified.status, verified.json()['code']]).toEqual([401, 'invalid_credentials']);
        expect(await findSignedIn(browser)).toBeUndefined();
      } finally {
        await node.close();
      }
    });

    const findSessionId = async ({ id }: Account) => {
      const live = store()
        .database.selectFrom('sessions')
        .select('id_hash')
        .where('user_id', '=', id)
        .where('ended_at', 'is', null);
      return (await live.executeTakeFirstOrThrow()).id_hash;
    };
    const copyOf = (browser: Browser) => {
      const copy = application.openBrowser();
      for (const [name, cookie] of browser.cookies) copy.cookies.set(name, cookie);
      return copy;
    };
    const endings: Record<string, (browser: Browser, account: Account) => Promise<unknown>> = {
      'an operator ends all sessions of the user': (_browser, { userName }) =>
        run(`sessions end --user ${userName}`),
      // `--` is necessary because one id in 64 begins with a hyphen, which the command line would parse as an option.
      'an operator ends this session': async (_browser, account) =>
        run(`sessions end -- ${await findSessionId(account)}`),
      'another tab signs out': (browser) => copyOf(browser).post('/api/ui/auth/sign-out', {}),
    };

    test.each(Object.keys(endings))('a session ends while it is being renewed, if %s [S23]', async (name) => {
      const account = await addAccount(application, { hasPhone: false });
      const browser = await signIn(account);
      application.clock.advanceSeconds(5);
      const started = await beginSignIn(browser, portal, { prompt: 'login' });
      const renewals = { table: 'sessions', when: 'new.user_id is not null' } as const;
      await holdInserts(store().database, renewals, async (held) => {
        const renewing = authenticate(browser, started, account);
        await held.untilHeld();
        const ending = Promise.resolve(endings[name]?.(browser, account));
        await held.untilBlockedOrDone(ending);
        await held.letGo();
        await Promise.all([renewing, ending]);
      });
      expect(await findSignedIn(browser)).toBeUndefined();
    });

    test.each(Object.keys(endings))(
      'an authorization code is invalid if, while it is being issued, %s [S23, S52]',
      async (name) => {
        const account = await addAccount(application, { hasPhone: false });
        const browser = application.openBrowser();
        const offline = { scope: 'openid offline_access', prompt: 'consent' };
        const started = await beginSignIn(browser, portal, offline);
        const answer = await authenticate(browser, started, account);
        const providerSessions = { table: 'openid_records', when: `new.model = 'Session'` } as const;
        await holdInserts(store().database, providerSessions, async (held) => {
          const returning = followToApplication(browser, answer);
          await held.untilHeld();
          // The paused statement also writes the code, so the sign-out waits for it and then deletes the code.
          const ending = Promise.resolve(endings[name]?.(browser, account));
          await held.untilBlockedOrDone(ending);
          await held.letGo();
          const code = (await returning).get('code') ?? '';
          await ending;
          expect(code).not.toBe('');
          expect((await redeem(application, { ...started, code })).json()).toMatchObject({
            error: 'invalid_grant',
          });
        });
        expect(await findSignedIn(browser)).toBeUndefined();
      },
    );
  });
});
