import { describe, expect, test } from 'vitest';
import { addClients } from '../../testing/add-clients.ts';
import { portal, publicUrl } from '../../testing/application.ts';
import {
  askUserInfo,
  followToApplication,
  readIdToken,
  redeem,
  sendPassword,
  signIn,
} from '../../testing/journeys.ts';
import { askForTokens, authorizeAddress, beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();

describe('a sign-in from the application and back', () => {
  test('ends with tokens that name the user and the site [I18]', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    const response = await followToApplication(browser, await sendPassword(browser, started));
    expect(response.get('state')).toBe(started.state);
    expect(response.get('iss')).toBe(publicUrl);

    const tokens = await redeem(application(), { ...started, code: response.get('code') ?? '' });
    expect(tokens.status, tokens.text).toBe(200);
    const claims = readIdToken(tokens);
    expect(claims).toMatchObject({
      iss: publicUrl,
      aud: 'director',
      nonce: started.nonce,
      site: 'harbor',
      site_name: 'Harbor Trust',
      amr: ['pwd'],
      auth_time: Math.floor(application().clock.now().getTime() / 1000),
    });
    const userInfo = await askUserInfo(application(), tokens.json()['access_token']);
    expect(userInfo.claims).toMatchObject({
      sub: claims['sub'],
      name: 'Samira Okafor',
      given_name: 'Samira',
      family_name: 'Okafor',
      email: 'secretary@demo.example',
      site: 'harbor',
    });
  });

  test('a second visit completes without a page', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    const { address } = await browser.follow(authorizeAddress(portal).address);
    expect(address.href).toMatch(new RegExp(`^${portal.redirectUri}\\?code=`));
  });

  test('completes with the service’s session if the provider’s session is lost', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    browser.cookies.delete('anteroom_provider');
    browser.cookies.delete('anteroom_provider.sig');
    const { address } = await browser.follow(authorizeAddress(portal).address);
    expect(address.href).toMatch(new RegExp(`^${portal.redirectUri}\\?code=`));
  });

  test('the provider’s session is not accepted without the service’s session', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    browser.cookies.delete('anteroom_session');
    const { address } = await browser.follow(authorizeAddress(portal).address);
    expect(address.pathname).toBe('/ui/account/login');
  });

  test('ui_locales becomes requested_language, unless the request has requested_language', async () => {
    const languageOf = async (changes: Record<string, string>) => {
      const { returnUrl } = await beginSignIn(application().openBrowser(), portal, changes);
      return new URL(returnUrl, publicUrl).searchParams.get('requested_language');
    };
    expect(await languageOf({ ui_locales: 'xx iw-IL en' })).toBe('he');
    expect(await languageOf({ ui_locales: 'fr', requested_language: 'ar' })).toBe('ar');
    expect(await languageOf({ ui_locales: '../../x __proto__' })).toBeNull();
  });
});

describe('refresh tokens', () => {
  const offline = { scope: 'openid offline_access' };
  const refresh = (token: unknown) =>
    askForTokens(application().app, publicUrl, portal, {
      grant_type: 'refresh_token',
      refresh_token: String(token),
    });

  test('are issued only for offline_access', async () => {
    const tokens = await redeem(application(), await signIn(application().openBrowser()));
    expect(tokens.json()).not.toHaveProperty('refresh_token');
  });

  test('are issued with or without prompt=consent, which shows no page', async () => {
    for (const prompt of [{}, { prompt: 'consent' }, { prompt: 'login consent' }]) {
      const changes = { ...offline, ...prompt };
      const tokens = await redeem(application(), await signIn(application().openBrowser(), changes));
      expect(tokens.json()).toHaveProperty('refresh_token');
    }
  });

  test('are not issued to a client that is not registered for them', async () => {
    const { database } = application().services;
    const metadata = { redirect_uris: [portal.redirectUri], token_endpoint_auth_method: 'none' };
    await addClients(database, { online: metadata });
    const client = { client_id: 'online' };
    const started = await signIn(application().openBrowser(), { ...offline, ...client });
    const tokens = await redeem(application(), started, client);
    expect(tokens.json()).toMatchObject({ scope: 'openid' });
    expect(tokens.json()).not.toHaveProperty('refresh_token');
  });

  test('rotate, and reuse of an old token revokes the grant [S52]', async () => {
    const tokens = await redeem(application(), await signIn(application().openBrowser(), offline));
    const first = tokens.json()['refresh_token'];
    const renewed = await refresh(first);
    expect(renewed.status, renewed.text).toBe(200);
    const second = renewed.json()['refresh_token'];
    expect(second).not.toBe(first);

    expect((await refresh(first)).json()).toMatchObject({ error: 'invalid_grant' });
    expect((await refresh(second)).json()).toMatchObject({ error: 'invalid_grant' });
    expect((await askUserInfo(application(), renewed.json()['access_token'])).status).toBe(401);
  });
});
