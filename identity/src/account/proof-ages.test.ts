import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { portal, publicUrl, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import { connect } from '../../testing/company/connect.ts';
import { elias, startOpenidCompany } from '../../testing/company/openid-company.ts';
import type { OpenidCompany } from '../../testing/company/openid-company.ts';
import { redirectPath } from '../../testing/company/set-up-company.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { followToApplication, obtainTokens, readIdToken } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { createSoftwarePasskey } from '../../testing/software-passkey.ts';
import type { SoftwarePasskey } from '../../testing/software-passkey.ts';
import { addAccount, latestCodeOf, passwordOf, withoutLimits } from '../../testing/two-users/accounts.ts';
import type { Account } from '../../testing/two-users/accounts.ts';
import { codeOfStep, fromBase32, stepAt } from '../factors/time-based-codes.ts';
import { secondFactorAcr } from '../sessions/assurance.ts';

/** The headers of pages with and without support for passkeys. */
const withPasskeys = { 'x-anteroom-extensions': 'totp,passkeys,factors' };
const withoutPasskeys = { 'x-anteroom-extensions': 'totp' };

describeStore('each proof has its own age, and each account call needs a proof [S25]', (store) => {
  let application: TestApplication;
  let company: OpenidCompany;

  beforeAll(async () => {
    company = await startOpenidCompany({ redirectUri: `${publicUrl}/external/callback` });
    const settings = { ...withoutLimits, PASSKEY_RP_ID: 'localhost' };
    application = await startApplication(store().database, { settings });
    await connect(application, {
      name: 'company',
      settings: { issuer: company.issuer, clientId: company.clientId },
      clientSecret: company.clientSecret,
      domains: ['demo.example'],
      sites: ['corp'],
    });
    await store()
      .database.updateTable('sites')
      .set({ authenticator_apps: true })
      .where('name', '=', 'summit')
      .execute();
  });
  afterAll(async () => {
    await application.close();
    await company.close();
  });

  const change = (browser: Browser, call: string, body: object = {}) =>
    browser.post(`/api/ui/account/${call}`, body, withPasskeys);
  const codeOf = (answer: Answer): unknown => (answer.status < 400 ? answer.status : answer.json()['code']);
  const secondsNow = (): number => Math.floor(application.clock.now().getTime() / 1000);

  const sendPassword = (
    browser: Browser,
    returnUrl: string,
    account: Account,
    { site, headers = withPasskeys }: { site?: string; headers?: Record<string, string> } = {},
  ) =>
    browser.post(
      '/api/ui/authenticate',
      { returnUrl, ...passwordOf(account), ...(site !== undefined && { site }) },
      headers,
    );

  async function sendCode(
    browser: Browser,
    returnUrl: string,
    account: Account,
    { publicComputerSignIn = true }: { publicComputerSignIn?: boolean } = {},
  ): Promise<Answer> {
    const code = await latestCodeOf(application, account);
    const body = { returnUrl, code, publicComputerSignIn };
    return await browser.post('/api/ui/verify-mfa-code', body, withPasskeys);
  }

  /** Signs a user in with a password and an SMS code. */
  async function enter(account: Account, site = 'summit'): Promise<Browser> {
    const browser = application.openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    await sendPassword(browser, returnUrl, account, { site });
    // finishes the sign-in at its own address, because the page might be asked to offer a passkey first
    await sendCode(browser, returnUrl, account);
    expect((await browser.follow(returnUrl)).address.searchParams.get('code')).toMatch(/./);
    return browser;
  }

  /** Advances the clock in steps in which the user visits the service, so that the session stays valid. */
  async function stayFor(browser: Browser, minutes: number): Promise<void> {
    for (let passed = 0; passed < minutes; passed += 20) {
      application.clock.advanceSeconds(20 * 60);
      expect((await browser.call('/api/ui/sites')).status).toBe(200);
    }
  }

  /** Starts the reauthentication of the account page, up to the sign-in page. */
  async function beginReauthentication(browser: Browser): Promise<string> {
    const { headers } = await browser.call('/api/ui/account/proof', { purpose: 'confirm' });
    const { address } = await browser.follow(headers['location'] ?? '');
    const returnUrl = address.searchParams.get('ReturnUrl') ?? '';
    await browser.call('/api/ui/auth-context', { returnUrl });
    return returnUrl;
  }

  async function addPasskey(browser: Browser): Promise<SoftwarePasskey> {
    const passkey = createSoftwarePasskey({ origin: publicUrl, rpId: 'localhost' });
    const { options } = (await change(browser, 'passkey-options')).json() as {
      options: { challenge: string };
    };
    const added = await change(browser, 'add-passkey', { credential: passkey.create(options) });
    expect(added.status).toBe(200);
    return passkey;
  }

  async function signInWithPasskey(
    browser: Browser,
    returnUrl: string,
    passkey: SoftwarePasskey,
    site: string,
  ) {
    const { options } = (
      await browser.post('/api/ui/passkey/sign-in-options', { returnUrl }, withPasskeys)
    ).json() as { options: { challenge: string } };
    const body = { returnUrl, site, credential: passkey.get(options) };
    return await browser.post('/api/ui/passkey/sign-in', body, withPasskeys);
  }

  describe('a session that began with a password and a code two hours ago', () => {
    async function enteredTwoHoursAgo() {
      const account = await addAccount(application);
      const browser = await enter(account);
      const enteredAt = secondsNow();
      await stayFor(browser, 120);
      return { account, browser, enteredAt };
    }

    test('must show the second factor again for the account page, and then may change the account [S25]', async () => {
      const { account, browser } = await enteredTwoHoursAgo();
      const returnUrl = await beginReauthentication(browser);
      const answer = await sendPassword(browser, returnUrl, account);
      expect(answer.json()).toMatchObject({ status: 'second_factor_required' });
      await browser.follow(returnUrl);
      expect(codeOf(await change(browser, 'passkey-options'))).toBe('unauthorized');
      expect(codeOf(await change(browser, 'authenticator-app/offer'))).toBe('unauthorized');
      expect(codeOf(await browser.call('/api/ui/account/activity'))).toBe('unauthorized');
      expect((await browser.call('/api/ui/account')).text).not.toContain('"mayAddPasskey":true');

      const again = await beginReauthentication(browser);
      await sendPassword(browser, again, account);
      expect((await sendCode(browser, again, account)).json()).toMatchObject({ status: 'redirect' });
      expect((await browser.call('/api/ui/account')).json()).toMatchObject({ mayAddPasskey: true });
      await addPasskey(browser);
    });

    test.each([
      ['acr_values', { acr_values: secondFactorAcr }],
      [
        'the essential claim acr',
        { claims: JSON.stringify({ id_token: { acr: { essential: true, value: secondFactorAcr } } }) },
      ],
    ])(
      'must show both again for `prompt=elevate` with %s of several factors, and auth_time is the time of these proofs',
      async (_name, requested) => {
        const { account, browser } = await enteredTwoHoursAgo();
        await stayFor(browser, 60);
        const started = await beginSignIn(browser, portal, { prompt: 'elevate', ...requested });
        const provedAt = secondsNow();
        const answer = await sendPassword(browser, started.returnUrl, account);
        expect(answer.json()).toMatchObject({ status: 'second_factor_required' });
        const tokens = await obtainTokens(
          application,
          browser,
          started,
          await sendCode(browser, started.returnUrl, account),
        );
        expect(readIdToken(tokens)).toMatchObject({
          acr: secondFactorAcr,
          amr: expect.arrayContaining(['pwd', 'sms']) as unknown,
          auth_time: provedAt,
        });
      },
    );

    test('keeps the time of its code when the user changes the password', async () => {
      const { account, browser, enteredAt } = await enteredTwoHoursAgo();
      const started = await beginSignIn(browser, portal, { prompt: 'change_password' });
      const newPassword = `lantern velvet oxbow ${account.id}`;
      const changed = await browser.post('/api/ui/password-reset', {
        returnUrl: started.returnUrl,
        currentPassword: passwordOf(account).password,
        newPassword,
        newPasswordConfirmation: newPassword,
      });
      const tokens = await obtainTokens(application, browser, started, changed);
      expect(readIdToken(tokens)).toMatchObject({ acr: secondFactorAcr, auth_time: enteredAt });
      expect(codeOf(await change(browser, 'passkey-options'))).toBe('unauthorized');
    });
  });

  test('a session that began with a password two hours ago keeps the time of the password when the user enters a code', async () => {
    const account = await addAccount(application);
    const browser = application.openBrowser();
    const first = await beginSignIn(browser, portal);
    await sendPassword(browser, first.returnUrl, account, { site: 'harbor' });
    await sendCode(browser, first.returnUrl, account, { publicComputerSignIn: false });
    await browser.post('/api/ui/auth/sign-out', {});
    const atHarbor = await beginSignIn(browser, portal);
    const remembered = await sendPassword(browser, atHarbor.returnUrl, account, { site: 'harbor' });
    await followToApplication(browser, remembered);
    const enteredAt = secondsNow();
    await stayFor(browser, 120);

    const setAdaptive = (isAdaptive: boolean) =>
      store()
        .database.updateTable('sites')
        .set({ adaptive_second_factor: isAdaptive })
        .where('name', '=', 'summit')
        .execute();
    await setAdaptive(false);
    try {
      const started = await beginSignIn(browser, portal, { prompt: 'switch_site' });
      const { returnUrl } = started;
      const selected = await browser.post('/api/ui/auth/select-site', { returnUrl, site: 'summit' });
      expect(selected.json()).toMatchObject({ status: 'second_factor_required' });
      const tokens = await obtainTokens(
        application,
        browser,
        started,
        await sendCode(browser, returnUrl, account),
      );
      expect(readIdToken(tokens)).toMatchObject({ acr: secondFactorAcr, auth_time: enteredAt });
    } finally {
      await setAdaptive(true);
    }
  });

  describe('a user whose only second factor is a passkey', () => {
    /** The user adds a passkey on the account page, and removes the phone number. */
    async function withOnlyPasskey() {
      const account = await addAccount(application);
      const browser = await enter(account);
      const passkey = await addPasskey(browser);
      expect((await change(browser, 'phone-number/remove')).status).toBe(204);
      return { account, passkey, browser };
    }

    async function sendPasswordAt(account: Account, site: string, headers = withPasskeys) {
      const browser = application.openBrowser();
      const { returnUrl } = await beginSignIn(browser, portal);
      const answer = await sendPassword(browser, returnUrl, account, { site, headers });
      return { browser, returnUrl, answer };
    }

    test.each([
      ['supports', withPasskeys],
      ['does not support', withoutPasskeys],
    ])(
      'cannot set up an authenticator app with the password alone if the page %s passkeys',
      async (_name, headers) => {
        const { account } = await withOnlyPasskey();
        const { browser, returnUrl } = await sendPasswordAt(account, 'summit', headers);
        const answer = await browser.post('/api/ui/authenticator-app', { returnUrl }, headers);
        expect(answer.text).not.toContain('secret');
        expect(codeOf(answer)).toBe('unauthorized');
      },
    );

    // harbor asks only users who have a second factor
    test.each(['summit', 'harbor'])(
      'is asked for the passkey after the password at %s, and signs in with it',
      async (site) => {
        const { account, passkey } = await withOnlyPasskey();
        const { browser, returnUrl, answer } = await sendPasswordAt(account, site);
        expect(answer.json()).toMatchObject({ status: 'second_factor_required' });
        expect(answer.text).toContain('"passkey"');
        expect((await browser.call('/api/ui/sites')).status).toBe(401);
        const signedIn = await signInWithPasskey(browser, returnUrl, passkey, site);
        expect(signedIn.json()).toMatchObject({ status: 'redirect' });
        expect((await browser.call('/api/ui/sites')).status).toBe(200);
      },
    );

    test.each(['summit', 'harbor'])(
      'does not enter %s from a page that does not support passkeys',
      async (site) => {
        const { account } = await withOnlyPasskey();
        const { browser, answer } = await sendPasswordAt(account, site, withoutPasskeys);
        expect(codeOf(answer)).toBe('site_requires_mfa');
        expect((await browser.call('/api/ui/sites')).status).toBe(401);
      },
    );

    test('is asked for the passkey after the password for the account page, and opens it with the passkey', async () => {
      const { account, passkey, browser } = await withOnlyPasskey();
      application.clock.advanceSeconds(601);
      const returnUrl = await beginReauthentication(browser);
      const answer = await sendPassword(browser, returnUrl, account);
      expect(answer.json()).toMatchObject({ status: 'second_factor_required' });
      expect(answer.text).toContain('"passkey"');
      expect(codeOf(await browser.call('/api/ui/account/activity'))).toBe('unauthorized');
      const signedIn = await signInWithPasskey(browser, returnUrl, passkey, 'summit');
      await browser.follow(String(signedIn.json()['location']));
      expect((await browser.call('/api/ui/account/activity')).status).toBe(200);
    });
  });

  describe('a session that only the identity provider of a company has authenticated', () => {
    /** The user of three organisations, who has an app, a passkey and a phone number, and is signed in twice. */
    async function signedInByCompany() {
      const account = await addAccount(application, { memberOf: ['harbor', 'summit', 'corp'] });
      const own = await enter(account);
      const passkey = await addPasskey(own);
      const { secret } = (await change(own, 'authenticator-app/offer')).json() as { secret: string };
      const appCode = () => codeOfStep(fromBase32(secret), stepAt(application.clock.now()));
      expect((await change(own, 'authenticator-app/set-up', { code: appCode() })).status).toBe(204);

      company.employee = { ...elias, sub: account.id, email: account.userName };
      const browser = application.openBrowser();
      const { returnUrl } = await beginSignIn(browser, portal);
      const query = new URLSearchParams({ site: 'corp', returnUrl }).toString();
      const left = await browser.visit(`${redirectPath}?${query}`);
      const back = await company.visit(left.headers['location'] ?? '');
      const returned = await browser.visit(back.href);
      await browser.follow(returned.headers['location'] ?? '');
      expect((await browser.call('/api/ui/sites')).status).toBe(200);
      return { account, own, browser, passkey, appCode };
    }

    const phoneNumber = '+442079460999';
    const code = '000000';
    /** The account calls with a body that need more than a session. */
    const calls: [string, (passkey: SoftwarePasskey) => object][] = [
      ['passkey-options', () => ({})],
      ['add-passkey', ({ create }) => ({ credential: create({ challenge: 'x', user: { id: 'x' } }) })],
      ['rename-passkey', ({ id }) => ({ id, name: 'mine' })],
      ['remove-passkey', ({ id }) => ({ id })],
      ['recovery-codes', () => ({})],
      ['authenticator-app/offer', () => ({})],
      ['authenticator-app/set-up', () => ({ code })],
      ['authenticator-app/remove', () => ({})],
      ['phone-number/send-code', () => ({ phoneNumber })],
      ['phone-number/set', () => ({ phoneNumber, code })],
      ['phone-number/remove', () => ({})],
      ['forget-computers', () => ({})],
    ];

    test.each(calls)('may not call %s', async (call, toBody) => {
      const { browser, own, passkey } = await signedInByCompany();
      const before = (await own.call('/api/ui/account')).json();
      expect(codeOf(await change(browser, call, toBody(passkey)))).toBe('unauthorized');
      expect((await own.call('/api/ui/account')).json()).toEqual(before);
    });

    test.each(['activity', 'data'])('may not read %s', async (call) => {
      const { browser } = await signedInByCompany();
      expect(codeOf(await browser.call(`/api/ui/account/${call}`))).toBe('unauthorized');
    });

    test('ends only its own sessions when it ends all others', async () => {
      const { browser, own } = await signedInByCompany();
      expect(codeOf(await change(browser, 'end-other-sessions'))).toBe(204);
      expect((await own.call('/api/ui/sites')).status).toBe(200);
      expect((await browser.call('/api/ui/sites')).status).toBe(200);
    });

    test('may not end a session that began with the password', async () => {
      const { browser, own } = await signedInByCompany();
      const { sessions } = (await own.call('/api/ui/account')).json() as {
        sessions: { id: string; isPresent: boolean }[];
      };
      const id = sessions.find(({ isPresent }) => isPresent)?.id;
      await change(browser, 'end-session', { id });
      expect((await own.call('/api/ui/sites')).status).toBe(200);
    });

    test('reads only the profile, the sites that trust the company, and its own session', async () => {
      const { account, browser } = await signedInByCompany();
      const answer = await browser.call('/api/ui/account');
      expect(answer.status).toBe(200);
      const described = answer.json();
      expect(described).toMatchObject({
        isLimited: true,
        mayProveOwnPassword: true,
        userName: account.userName,
        sites: ['Corp Industries'],
        sessions: [{ isPresent: true, site: 'Corp Industries' }],
      });
      expect(described['sessions']).toHaveLength(1);
      for (const member of ['phoneNumber', 'passkeys', 'authenticatorApp', 'password'])
        expect(described, member).not.toHaveProperty(member);
      expect(described['hasActivity']).not.toBe(true);
      for (const other of ['Harbor', 'Summit']) expect(answer.text).not.toContain(other);
    });

    test('may do all this after the user has also shown the password and a second factor', async () => {
      const { account, browser, passkey, appCode } = await signedInByCompany();
      application.clock.advanceSeconds(60);
      const { returnUrl } = await beginSignIn(browser, portal, { prompt: 'switch_site' });
      await browser.post('/api/ui/auth/select-site', { returnUrl, site: 'harbor' });
      const asked = await sendPassword(browser, returnUrl, account, { site: 'harbor' });
      expect(asked.json()).toMatchObject({ status: 'second_factor_required' });
      const verified = { returnUrl, code: appCode(), publicComputerSignIn: true };
      expect((await browser.post('/api/ui/verify-mfa-code', verified, withPasskeys)).status).toBe(200);
      expect((await browser.call('/api/ui/account/activity')).status).toBe(200);
      expect((await change(browser, 'remove-passkey', { id: passkey.id })).status).toBe(204);
    });
  });
});
