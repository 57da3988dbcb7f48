import { describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { askUserInfo, followToApplication, redeem, sendPassword, signIn } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { demoPassword } from '../demo/demo-data.ts';

const application = useApplication();
const newcomer = { site: 'harbor', userName: 'newcomer@demo.example', password: demoPassword };

/** Admits the demo user without further steps; otherwise the user must change the password first. */
async function admitNewcomer(): Promise<void> {
  await application().services.database.updateTable('credentials').set({ must_change: false }).execute();
}

describe('a sign-in belongs to the browser that started it', () => {
  test('the id alone, or another browser, finds no sign-in', async () => {
    const [own, other, newBrowser] = [1, 2, 3].map(() => application().openBrowser());
    const { returnUrl } = await beginSignIn(own!, portal);
    await beginSignIn(other!, portal);
    for (const browser of [other!, newBrowser!]) {
      const context = await browser.call('/api/ui/auth-context', { returnUrl });
      expect(context.status).toBe(404);
      expect(context.json()).toEqual({ code: 'not_found' });
    }
    expect((await sendPassword(other!, { returnUrl })).status).toBe(404);
    expect((await own!.call('/api/ui/auth-context', { returnUrl })).status).toBe(200);
  });

  test('a finished sign-in restarts when another browser follows it [S14]', async () => {
    const [victim, thief] = [application().openBrowser(), application().openBrowser()];
    const started = await beginSignIn(victim, portal);
    const location = String((await sendPassword(victim, started)).json()['location']);
    const { address } = await thief.follow(location);
    expect(address.pathname).toBe('/ui/account/login');
    expect(address.searchParams.get('ReturnUrl')).not.toBe(started.returnUrl);
    expect((await victim.follow(location)).address.searchParams.get('code')).not.toBeNull();
  });

  test('a cookie with the provider’s own name is ignored', async () => {
    const [victim, thief] = [application().openBrowser(), application().openBrowser()];
    const started = await beginSignIn(victim, portal);
    const location = new URL(String((await sendPassword(victim, started)).json()['location']));
    const uid = location.pathname.split('/').at(-1) ?? '';
    const answer = await thief.visit(location.href, { cookie: `anteroom_provider_resume=${uid}` });
    expect(answer.status).toBe(303);
    expect(answer.headers['location']).toMatch(/^\/connect\/authorize\?/);
  });

  test('two tabs each finish their own sign-in [I18]', async () => {
    const browser = application().openBrowser();
    const first = await beginSignIn(browser, portal);
    const second = await beginSignIn(browser, portal);
    const responses = [
      await followToApplication(browser, await sendPassword(browser, second)),
      await followToApplication(browser, await sendPassword(browser, first)),
    ];
    expect(responses.map((parameters) => parameters.get('state'))).toEqual([second.state, first.state]);
  });

  test('only the cookies of the service and the provider’s session cookie are set, all host-only [S19]', async () => {
    const browser = application().openBrowser();
    const lines: string[] = [];
    const started = await beginSignIn(browser, portal);
    lines.push(...(await browser.visit(started.address)).cookies);
    const answer = await sendPassword(browser, started);
    lines.push(...answer.cookies, ...(await browser.visit(String(answer.json()['location']))).cookies);
    expect(new Set(lines.map((line) => line.slice(0, line.indexOf('='))))).toEqual(
      new Set([
        'anteroom_session',
        'XSRF-TOKEN',
        'anteroom_provider',
        'anteroom_provider.sig',
        'anteroom_known',
        'anteroom_accounts',
      ]),
    );
    for (const line of lines) {
      expect(line).toMatch(/; path=\/(;|$)/i);
      expect(line).toMatch(/; samesite=(lax|strict)(;|$)/i);
      expect(line).not.toMatch(/domain=/i);
      if (!line.startsWith('XSRF-TOKEN')) expect(line).toMatch(/; httponly(;|$)/i);
    }
  });
});

describe('a sign-in that has ended', () => {
  test('restarts at its own URL with all its parameters', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    application().clock.advanceSeconds(30 * 60);
    expect((await browser.call('/api/ui/auth-context', { returnUrl: started.returnUrl })).status).toBe(404);
    const { address } = await browser.follow(started.returnUrl);
    const again = new URL(address.searchParams.get('ReturnUrl') ?? '', publicUrl);
    expect(again.searchParams.get('state')).toBe(started.state);
    expect(again.pathname).not.toBe(new URL(started.returnUrl, publicUrl).pathname);
    const response = await followToApplication(
      browser,
      await sendPassword(browser, { returnUrl: `${again.pathname}${again.search}` }),
    );
    expect(response.get('state')).toBe(started.state);
  });

  test('completes once: a second visit to its URL is a new request', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    const location = String((await sendPassword(browser, started)).json()['location']);
    const first = (await browser.follow(location)).address.searchParams.get('code');
    const second = (await browser.follow(location)).address.searchParams.get('code');
    expect(first).not.toBeNull();
    expect(second).not.toBeNull();
    expect(second).not.toBe(first);
  });
});

describe('a provider session that ended in another tab', () => {
  test('lets a sign-in that started in that session restart and complete', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    const started = await beginSignIn(browser, portal, { prompt: 'login' });
    const answer = await sendPassword(browser, started, { password: demoPassword });
    const { database } = application().services;
    await database.deleteFrom('openid_records').where('model', '=', 'Session').execute();
    const first = await browser.visit(String(answer.json()['location']));
    expect(first.headers['location']).toMatch(/^\/connect\/authorize\?/);
    const { address } = await browser.follow(first.headers['location'] ?? '');
    expect(address.pathname).toBe('/ui/account/login');
  });

  test('a revoked grant does not affect pending sign-ins', async () => {
    const browser = application().openBrowser();
    const { code, codeVerifier } = await signIn(browser);
    const started = await beginSignIn(browser, portal, { prompt: 'login' });
    await redeem(application(), { code, codeVerifier });
    await redeem(application(), { code, codeVerifier });
    const response = await followToApplication(
      browser,
      await sendPassword(browser, started, { password: demoPassword }),
    );
    expect(response.get('state')).toBe(started.state);
  });
});

describe('another user in the same browser', () => {
  test('ends the grants of the first user, without a self-submitting page', async () => {
    await admitNewcomer();
    const browser = application().openBrowser();
    const tokens = (await redeem(application(), await signIn(browser))).json();
    expect((await askUserInfo(application(), tokens['access_token'])).status).toBe(200);

    // Deletes our session cookie, but keeps the provider's.
    browser.cookies.delete('anteroom_session');
    const started = await beginSignIn(browser, portal);
    const response = await followToApplication(browser, await sendPassword(browser, started, newcomer));
    expect(response.get('code')).not.toBeNull();
    expect((await askUserInfo(application(), tokens['access_token'])).status).toBe(401);
  });
});
