import { beforeEach, describe, expect, test } from 'vitest';
import { demoPassword } from '../../src/demo/demo-data.ts';
import { codeOfStep, fromBase32, stepAt } from '../../src/factors/time-based-codes.ts';
import { portal, publicUrl } from '../application.ts';
import type { Answer, Browser } from '../browser.ts';
import { serverIsThere } from '../describe-store.ts';
import {
  askUserInfo,
  followToApplication,
  readIdToken,
  redeem,
  secretary,
  sendPassword,
  signIn,
} from '../journeys.ts';
import { askForLink, openRecoveryPage, readLink } from '../recovery.ts';
import { askForTokens, beginSignIn } from '../relying-party.ts';
import { createSoftwarePasskey } from '../software-passkey.ts';
import { useNodes } from './use-nodes.ts';

// Attacks and faults, F06: two nodes without sticky sessions; consecutive requests of a flow go to different nodes.

const director = { site: 'northwind', userName: 'director@demo.example', password: demoPassword };
const newcomer = { site: 'harbor', userName: 'newcomer@demo.example', password: demoPassword };

describe.runIf(serverIsThere())('with each request on the other of two nodes', () => {
  const nodes = useNodes(2, { env: { PASSKEY_RP_ID: 'localhost' } });

  beforeEach(async () => {
    for (const table of [
      'limits',
      'outbox',
      'code_messages',
      'remembered_devices',
      'previous_passwords',
    ] as const)
      await nodes().database.deleteFrom(table).execute();
  });

  const change = (browser: Browser, returnUrl: string, currentPassword: string, newPassword: string) =>
    browser.post('/api/ui/password-reset', {
      returnUrl,
      currentPassword,
      newPassword,
      newPasswordConfirmation: newPassword,
    });
  const verify = (browser: Browser, returnUrl: string, code: string): Promise<Answer> =>
    browser.post('/api/ui/verify-mfa-code', { returnUrl, code });

  /** The latest code or link. Mail is sent after the response, and a mail of another test may still arrive. */
  async function readMessage(
    kind: 'sms' | 'mail',
  ): Promise<{ text: string; recipient: string; subject: null }> {
    const latest = () =>
      nodes()
        .database.selectFrom('outbox')
        .select(['text', 'recipient'])
        .where('kind', '=', kind)
        .where('text', 'like', kind === 'sms' ? '%#%' : '%http%#%')
        .orderBy('number', 'desc')
        .executeTakeFirst();
    await expect.poll(latest, { interval: 20 }).toBeDefined();
    return { text: '', recipient: '', ...(await latest()), subject: null };
  }
  const readCode = async () => /#(\d{6})$/.exec((await readMessage('sms')).text)?.[1] ?? '';

  test('password, code exchange, userinfo and refresh [F06]', async () => {
    const browser = nodes().openBrowser();
    const started = await signIn(browser, { scope: 'openid email offline_access', prompt: 'consent' });
    const tokens = await redeem(nodes(), started);
    expect(readIdToken(tokens)).toMatchObject({ amr: ['pwd'], site: 'harbor' });
    const { claims } = await askUserInfo(nodes(), tokens.json()['access_token']);
    expect(claims).toMatchObject({ email: secretary.userName });
    const refreshed = await askForTokens(nodes().app, publicUrl, portal, {
      grant_type: 'refresh_token',
      refresh_token: String(tokens.json()['refresh_token']),
    });
    expect((await askUserInfo(nodes(), refreshed.json()['access_token'])).status).toBe(200);
    expect([...nodes().balancer.given.values()].every((count) => count > 3)).toBe(true);
  });

  test('password, SMS code and site selection [F06]', async () => {
    const browser = nodes().openBrowser();
    const started = await beginSignIn(browser, portal);
    const { userName, password } = director;
    const asked = await sendPassword(browser, started, { userName, password });
    expect(asked.json()).toMatchObject({ status: 'second_factor_required' });
    const chosen = await verify(browser, started.returnUrl, await readCode());
    expect(chosen.json()).toMatchObject({ status: 'select_site_required' });
    expect((await browser.call('/api/ui/sites', { returnUrl: started.returnUrl })).json()).toMatchObject({
      userFirstName: 'Dana',
    });
    const { returnUrl } = started;
    const parameters = await followToApplication(
      browser,
      await browser.post('/api/ui/auth/select-site', { returnUrl, site: 'harbor' }),
    );
    const claims = readIdToken(await redeem(nodes(), { ...started, code: parameters.get('code') ?? '' }));
    expect(claims).toMatchObject({ amr: ['pwd', 'sms'], site: 'harbor' });
  });

  test('a passkey is created and signs in, an authenticator app is set up and signs in [F06]', async () => {
    const knowing = { 'x-anteroom-extensions': 'totp,passkeys' };
    const post = (browser: Browser, path: string, body: object): Promise<Answer> =>
      browser.post(`/api/ui/${path}`, body, knowing);
    const optionsOf = async (asked: Promise<Answer>) =>
      (await asked).json()['options'] as { challenge: string };
    const first = nodes().openBrowser();
    const { returnUrl } = await beginSignIn(first, portal);
    await post(first, 'authenticate', { returnUrl, ...director });
    const code = await readCode();
    expect((await post(first, 'verify-mfa-code', { returnUrl, code })).json()['status']).toBe('redirect');
    const passkey = createSoftwarePasskey({ origin: publicUrl, rpId: 'localhost' });
    const credential = passkey.create(
      await optionsOf(post(first, 'passkey/enrolment-options', { returnUrl })),
    );
    expect((await post(first, 'passkey/enrolment', { returnUrl, credential })).status).toBe(200);

    const byPasskey = nodes().openBrowser();
    const started = await beginSignIn(byPasskey, portal);
    const parameters = await followToApplication(
      byPasskey,
      await post(byPasskey, 'passkey/sign-in', {
        returnUrl: started.returnUrl,
        site: director.site,
        credential: passkey.get(
          await optionsOf(post(byPasskey, 'passkey/sign-in-options', { returnUrl: started.returnUrl })),
        ),
      }),
    );
    const claims = readIdToken(await redeem(nodes(), { ...started, code: parameters.get('code') ?? '' }));
    expect(claims).toMatchObject({ amr: ['hwk', 'user', 'mfa'] });

    await byPasskey.call('/api/ui/account');
    const { secret } = (await post(byPasskey, 'account/authenticator-app/offer', {})).json();
    const codeOfStepFromNow = (steps: number) =>
      codeOfStep(fromBase32(String(secret)), stepAt(new Date()) + steps);
    const setUp = await post(byPasskey, 'account/authenticator-app/set-up', { code: codeOfStepFromNow(0) });
    expect(setUp.status).toBe(204);
    const byApp = nodes().openBrowser();
    const again = await beginSignIn(byApp, portal);
    await post(byApp, 'authenticate', { returnUrl: again.returnUrl, ...director });
    const entered = { returnUrl: again.returnUrl, code: codeOfStepFromNow(1) };
    expect((await post(byApp, 'verify-mfa-code', entered)).json()['status']).toBe('redirect');
    // a code of the app can be used once across all nodes
    const other = nodes().openBrowser();
    const replay = await beginSignIn(other, portal);
    await post(other, 'authenticate', { returnUrl: replay.returnUrl, ...director });
    const refused = await post(other, 'verify-mfa-code', { ...entered, returnUrl: replay.returnUrl });
    expect(refused.json()['code']).toBe('invalid_credentials');
    for (const table of ['passkeys', 'authenticator_apps'] as const)
      await nodes().database.deleteFrom(table).execute();
  });

  test('a forced password change, then a voluntary change, then elevate with the new password [F06]', async () => {
    const browser = nodes().openBrowser();
    const started = await beginSignIn(browser, portal);
    const required = await sendPassword(browser, started, newcomer);
    expect(required.json()).toMatchObject({ status: 'password_reset_required' });
    await followToApplication(
      browser,
      await change(browser, started.returnUrl, demoPassword, 'lantern velvet oxbow 31'),
    );

    const voluntary = await beginSignIn(browser, portal, { prompt: 'change_password' });
    await followToApplication(
      browser,
      await change(browser, voluntary.returnUrl, 'lantern velvet oxbow 31', 'meadow copper sail 88'),
    );
    const elevate = await beginSignIn(browser, portal, { prompt: 'elevate' });
    const parameters = await followToApplication(
      browser,
      await sendPassword(browser, elevate, { password: 'meadow copper sail 88' }),
    );
    expect(parameters.get('code')).not.toBeNull();
  });

  test('a sign-out on one node ends the session and its tokens on the other node at once [F06, S23]', async () => {
    const browser = nodes().openBrowser();
    const tokens = await redeem(nodes(), await signIn(browser));
    const copy = nodes().openBrowser();
    for (const [name, cookie] of browser.cookies) copy.cookies.set(name, cookie);
    expect((await browser.at(nodes().at(0)).post('/api/ui/auth/sign-out', {})).status).toBe(204);
    expect((await copy.at(nodes().at(1)).call('/api/ui/sites')).status).toBe(401);
    expect((await askUserInfo({ app: nodes().at(1) }, tokens.json()['access_token'])).status).toBe(401);
  });

  test('an anti-forgery token of one node is accepted by the other node, but only with its own session [S12]', async () => {
    const browser = nodes().openBrowser();
    const started = await beginSignIn(browser.at(nodes().at(0)), portal);
    expect((await sendPassword(browser.at(nodes().at(1)), started)).status).toBe(200);
    const foreign = nodes().openBrowser();
    await beginSignIn(foreign.at(nodes().at(0)), portal);
    const forged = await sendPassword(
      foreign.at(nodes().at(1)),
      await beginSignIn(foreign.at(nodes().at(0)), portal),
    );
    expect(forged.status).toBe(200);
    foreign.cookies.set('XSRF-TOKEN', browser.cookies.get('XSRF-TOKEN') ?? { value: '', path: '/' });
    expect((await foreign.at(nodes().at(1)).post('/api/ui/auth/sign-out', {})).json()).toEqual({
      code: 'csrf_failed',
    });
  });

  // the last one, because it changes the password of the user of the others
  test('password recovery by a link, and the old session is invalid on both nodes [F06, S23]', async () => {
    const signedIn = nodes().openBrowser();
    const { returnUrl } = await beginSignIn(signedIn, portal);
    await followToApplication(signedIn, await sendPassword(signedIn, { returnUrl }));
    await askForLink(await openRecoveryPage(nodes()), secretary.userName);
    const token = readLink(await readMessage('mail')).hash.slice(1);
    const page = await openRecoveryPage(nodes());
    const opened = await page.post('/api/ui/recovery/open-password-link', { token });
    expect(opened.status).toBe(200);
    const fields = {
      token,
      newPassword: 'harvest pebble quilt 52',
      newPasswordConfirmation: 'harvest pebble quilt 52',
    };
    expect((await page.post('/api/ui/recovery/new-password', fields)).status).toBeLessThan(300);
    for (const index of [0, 1])
      expect((await signedIn.at(nodes().at(index)).call('/api/ui/sites')).status).toBe(401);
    expect((await page.post('/api/ui/recovery/new-password', fields)).status).toBeGreaterThanOrEqual(400);
  });
});
