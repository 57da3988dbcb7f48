import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { addClients } from '../../testing/add-clients.ts';
import { portal, publicUrl } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { askUserInfo, redeem, sendPassword, signIn } from '../../testing/journeys.ts';
import { askForTokens, authorizeAddress, beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();
const back = 'http://localhost:4401/signed-out';

/** Follows an application's sign-out request, and returns the final page with its context. */
async function askToSignOut(browser: Browser, query: Record<string, string>) {
  const { address } = await browser.follow(`/connect/session/end?${new URLSearchParams(query).toString()}`);
  const logoutId = address.searchParams.get('logoutId');
  const context =
    logoutId === null ? undefined : (await browser.call('/api/ui/logout-context', { logoutId })).json();
  return { address, context, logoutId: logoutId ?? '' };
}

async function signedIn() {
  const browser = application().openBrowser();
  const tokens = (await redeem(application(), await signIn(browser))).json();
  return { browser, idToken: String(tokens['id_token']), accessToken: tokens['access_token'] };
}

describe('a sign-out at the request of an application', () => {
  test('needs no confirmation with an ID token of the signed-in user [I10]', async () => {
    const { browser, idToken } = await signedIn();
    const { address, context } = await askToSignOut(browser, {
      id_token_hint: idToken,
      post_logout_redirect_uri: back,
      state: 'a b',
    });
    expect(address.pathname).toBe('/ui/account/logout');
    expect(context).toMatchObject({
      postLogoutRedirectUri: `${back}?state=a+b`,
      requiresConfirmation: false,
      showCancelButton: false,
    });
  });

  test('asks for confirmation without a hint, and can be cancelled [I10, S14]', async () => {
    const { browser } = await signedIn();
    const { context } = await askToSignOut(browser, {
      client_id: portal.clientId,
      post_logout_redirect_uri: back,
    });
    expect(context).toMatchObject({
      requiresConfirmation: true,
      showCancelButton: true,
      postLogoutRedirectUri: back,
    });
  });

  test('shows the branding of the application', async () => {
    const { database } = application().services;
    const branding = { productName: 'Harbor Boards', accentColour: '#6a1b9a' };
    const metadata = {
      redirect_uris: ['https://harbor.example/back'],
      post_logout_redirect_uris: ['https://harbor.example/signed-out'],
      token_endpoint_auth_method: 'none',
      branding,
    };
    await addClients(database, { 'harbor-boards': metadata });
    const { browser } = await signedIn();
    const { context } = await askToSignOut(browser, { client_id: 'harbor-boards' });
    expect(context?.['branding']).toEqual(branding);
  });

  test('an ID token of another user does not sign this user out [S14]', async () => {
    const attacker = await signedIn();
    await application().services.database.updateTable('credentials').set({ must_change: false }).execute();
    const victim = application().openBrowser();
    await signIn(
      victim,
      {},
      { site: 'harbor', userName: 'newcomer@demo.example', password: 'quiet harbor morning 74' },
    );
    const { logoutId } = await askToSignOut(attacker.browser, { id_token_hint: attacker.idToken });
    const context = (await victim.call('/api/ui/logout-context', { logoutId })).json();
    expect(context).toMatchObject({ requiresConfirmation: true });
  });

  test('an ID token of an earlier session does not sign the user out of a later session [I10, S14]', async () => {
    const { browser, idToken } = await signedIn();
    const { logoutId } = await askToSignOut(browser, { id_token_hint: idToken });
    const look = async () => (await browser.call('/api/ui/logout-context', { logoutId })).json();
    expect(await look()).toMatchObject({ requiresConfirmation: false });
    await browser.post('/api/ui/auth/sign-out', {});
    application().clock.advanceSeconds(1);
    await signIn(browser);
    // The back button or a reload requests the same address again.
    expect(await look()).toMatchObject({ requiresConfirmation: true });
  });

  test('never redirects to an unregistered address, or for an unknown application [S04]', async () => {
    const { browser, idToken } = await signedIn();
    for (const uri of ['https://evil.test/', `${back}?x=1`, `${back}/`, 'javascript:alert(1)']) {
      const withHint = await askToSignOut(browser, { id_token_hint: idToken, post_logout_redirect_uri: uri });
      expect(withHint.address.pathname, uri).toBe('/ui/home/error');
      const { context } = await askToSignOut(browser, { post_logout_redirect_uri: uri });
      expect(context).toMatchObject({ requiresConfirmation: true, showCancelButton: false });
      expect(context).not.toHaveProperty('postLogoutRedirectUri');
    }
    const changed = await askToSignOut(browser, { id_token_hint: `${idToken.slice(0, -3)}abc` });
    expect(changed.address.pathname).toBe('/ui/home/error');
  });

  test('refuses a hint that this service did not sign, with any algorithm [S53]', async () => {
    const { browser, idToken } = await signedIn();
    const [, payload = '', signature = ''] = idToken.split('.');
    const header = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const jwks = (await browser.visit('/connect/jwks')).text;
    const mac = (input: string) => createHmac('sha256', jwks).update(input).digest('base64url');
    const confused = `${header({ alg: 'HS256', kid: 'test' })}.${payload}`;
    for (const forged of [
      `${header({ alg: 'none' })}.${payload}.`,
      `${confused}.${mac(confused)}`,
      `${header({ alg: 'ES256', kid: "' or 1=1 --" })}.${payload}.${signature}`,
      `${header({ alg: 'ES256', kid: '../../test', jku: 'http://127.0.0.1:1/x' })}.${payload}.${signature}`,
    ]) {
      const { address } = await askToSignOut(browser, { id_token_hint: forged });
      expect(address.pathname).toBe('/ui/home/error');
    }
  });

  test('needs no confirmation without a session, and no page submits itself', async () => {
    const browser = application().openBrowser();
    const { address, context } = await askToSignOut(browser, {
      client_id: portal.clientId,
      post_logout_redirect_uri: back,
    });
    expect(address.pathname).toBe('/ui/account/logout');
    expect(context).toMatchObject({ requiresConfirmation: false, postLogoutRedirectUri: back });
  });

  test('changes nothing before the confirmation', async () => {
    const { browser, idToken } = await signedIn();
    await askToSignOut(browser, { id_token_hint: idToken });
    expect((await browser.call('/api/ui/sites')).status).toBe(200);
  });
});

describe('a sign-out without a named application', () => {
  const backToPortal = {
    postLogoutRedirectUri: 'http://localhost:4401/',
    requiresConfirmation: true,
    showCancelButton: true,
  };
  const look = async (browser: Browser) => (await browser.call('/api/ui/logout-context')).json();

  test('redirects to the start page of the application whose sign-in this browser advanced last [I10]', async () => {
    const { browser } = await signedIn();
    await browser.follow(authorizeAddress(portal, { prompt: 'switch_site' }).address);
    expect(await look(browser)).toMatchObject(backToPortal);
  });

  test('redirects to the application that the session entered, if the browser has no open sign-in', async () => {
    const { browser } = await signedIn();
    expect(await look(browser)).toMatchObject(backToPortal);
  });

  test('redirects to that application also while the account page asks for a confirmation', async () => {
    const { browser } = await signedIn();
    const { headers } = await browser.call('/api/ui/account/proof', { purpose: 'confirm' });
    await browser.follow(headers['location'] ?? '');
    expect(await look(browser)).toMatchObject(backToPortal);
  });

  test('ends without an address if the session entered no application', async () => {
    const { browser } = await signedIn();
    await application()
      .services.database.deleteFrom('openid_records')
      .where('model', '=', 'Session')
      .execute();
    const context = await look(browser);
    expect(context).toMatchObject({ showCancelButton: false });
    expect(context).not.toHaveProperty('postLogoutRedirectUri');
  });
});

describe('signing out', () => {
  test('ends the session, oidc-provider’s session, and every token at once [I10, S23]', async () => {
    const browser = application().openBrowser();
    const started = await signIn(browser, { scope: 'openid offline_access', prompt: 'consent' });
    const tokens = (await redeem(application(), started)).json();
    const kept = new Map(browser.cookies);
    expect((await browser.call('/api/ui/logout-context')).json()).toMatchObject({
      requiresConfirmation: true,
    });
    expect((await browser.post('/api/ui/auth/sign-out', undefined)).status).toBe(204);
    // Only the cookies about known browsers and their accounts stay.
    expect([...browser.cookies.keys()]).toEqual(['anteroom_known', 'anteroom_accounts']);

    for (const [name, cookie] of kept) browser.cookies.set(name, cookie);
    expect((await browser.call('/api/ui/sites')).status).toBe(401);
    expect((await askUserInfo(application(), tokens['access_token'])).status).toBe(401);
    const refreshed = await askForTokens(application().app, publicUrl, portal, {
      grant_type: 'refresh_token',
      refresh_token: String(tokens['refresh_token']),
    });
    expect(refreshed.json()).toMatchObject({ error: 'invalid_grant' });
    const { address } = await browser.follow(authorizeAddress(portal).address);
    expect(address.pathname).toBe('/ui/account/login');
  });

  test('clears the storage of scripts, and keeps the cookies of language and site [S21]', async () => {
    const { browser } = await signedIn();
    const { headers } = await browser.post('/api/ui/auth/sign-out', {});
    expect(headers['clear-site-data']).toBe('"storage"');
  });

  test('needs the anti-forgery value [S12]', async () => {
    const { browser } = await signedIn();
    const forged = await browser.post('/api/ui/auth/sign-out', {}, { 'x-xsrf-token': '' });
    expect(forged.json()).toMatchObject({ code: 'csrf_failed' });
    expect((await browser.call('/api/ui/sites')).status).toBe(200);
  });

  test('succeeds a second time and without a session', async () => {
    const browser = application().openBrowser();
    await browser.call('/api/ui/logout-context');
    expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
  });

  test('without a session, keeps a sign-in of this browser usable [S14]', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    await browser.call('/api/ui/logout-context');
    expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
    expect((await sendPassword(browser, started)).json()).toMatchObject({ status: 'redirect' });
  });
});
