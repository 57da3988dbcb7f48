import { beforeEach, describe, expect, test } from 'vitest';
import { demoPassword } from '../../src/demo/demo-data.ts';
import { portal, publicUrl } from '../application.ts';
import type { Answer, Browser } from '../browser.ts';
import { serverIsThere } from '../describe-store.ts';
import { askUserInfo, goBack, readIdToken, redeem, secretary, sendPassword, signIn } from '../journeys.ts';
import { askForLink, openRecoveryPage, readLink } from '../recovery.ts';
import { askForTokens, beginSignIn } from '../relying-party.ts';
import { useNodes } from './use-nodes.ts';

// Attacks and faults, F06: two nodes without sticky sessions, each request of each flow on the other one.

const director = { site: 'northwind', userName: 'director@demo.example', password: demoPassword };
const newcomer = { site: 'harbor', userName: 'newcomer@demo.example', password: demoPassword };
const sessionCookie = '__Host-anteroom_session';

describe.runIf(serverIsThere())('on two nodes, each request at the other one', () => {
  const nodes = useNodes(2);

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

  /** The latest code or link: mail is sent after the answer, and the mail of another test may still come. */
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

  test('F06: password, code exchange, userinfo and refresh', async () => {
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

  test('F06: password, SMS code and site choice', async () => {
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
    const told = await goBack(
      browser,
      await browser.post('/api/ui/auth/select-site', { returnUrl, site: 'harbor' }),
    );
    const claims = readIdToken(await redeem(nodes(), { ...started, code: told.get('code') ?? '' }));
    expect(claims).toMatchObject({ amr: ['pwd', 'sms'], site: 'harbor' });
  });

  test('F06: forced password change, then voluntary, then elevate with the new password', async () => {
    const browser = nodes().openBrowser();
    const started = await beginSignIn(browser, portal);
    const required = await sendPassword(browser, started, newcomer);
    expect(required.json()).toMatchObject({ status: 'password_reset_required' });
    await goBack(browser, await change(browser, started.returnUrl, demoPassword, 'lantern velvet oxbow 31'));

    const voluntary = await beginSignIn(browser, portal, { prompt: 'change_password' });
    await goBack(
      browser,
      await change(browser, voluntary.returnUrl, 'lantern velvet oxbow 31', 'meadow copper sail 88'),
    );
    const elevate = await beginSignIn(browser, portal, { prompt: 'elevate' });
    const told = await goBack(
      browser,
      await sendPassword(browser, elevate, { password: 'meadow copper sail 88' }),
    );
    expect(told.get('code')).not.toBeNull();
  });

  test('F06: recovery by a link, and S23: the session that there was is dead on both nodes', async () => {
    const signedIn = nodes().openBrowser();
    const { returnUrl } = await beginSignIn(signedIn, portal);
    await goBack(signedIn, await sendPassword(signedIn, { returnUrl }));
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

  test('F06: a link for a new password sets it, once', async () => {
    await askForLink(await openRecoveryPage(nodes()), secretary.userName);
    const token = readLink(await readMessage('mail')).hash.slice(1);
    const page = await openRecoveryPage(nodes());
    const fields = { token, newPassword: demoPassword, newPasswordConfirmation: demoPassword };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => page.post('/api/ui/recovery/new-password', fields)),
    );
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  });

  test('F06, S23: a sign-out on one node ends the session and its tokens on the other at once', async () => {
    const browser = nodes().openBrowser();
    const tokens = await redeem(nodes(), await signIn(browser));
    const copy = nodes().openBrowser();
    for (const [name, cookie] of browser.cookies) copy.cookies.set(name, cookie);
    expect((await browser.at(nodes().at(0)).post('/api/ui/auth/sign-out', {})).status).toBe(204);
    expect((await copy.at(nodes().at(1)).call('/api/ui/sites')).status).toBe(401);
    expect((await askUserInfo({ app: nodes().at(1) }, tokens.json()['access_token'])).status).toBe(401);
  });

  test('S22: the session id of before the sign-in is worth nothing on either node', async () => {
    const browser = nodes().openBrowser();
    const started = await beginSignIn(browser, portal);
    const early = browser.cookies.get(sessionCookie);
    await sendPassword(browser, started);
    expect(browser.cookies.get(sessionCookie)?.value).not.toBe(early?.value);
    for (const index of [0, 1]) {
      expect((await browser.at(nodes().at(index)).call('/api/ui/sites')).status).toBe(200);
      const fixed = nodes().openBrowser();
      fixed.cookies.set(sessionCookie, early ?? { value: '', path: '/' });
      expect((await fixed.at(nodes().at(index)).call('/api/ui/sites')).status).toBe(401);
    }
  });

  test('S12: an anti-forgery value of one node is taken by the other, and only with its own session', async () => {
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
});
