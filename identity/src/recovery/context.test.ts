import { describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { sendPassword } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();
const path = '/api/ui/recovery/context';

describe('the context of a recovery page', () => {
  test('a visitor without a session gets a session, with its anti-forgery token', async () => {
    const browser = application().openBrowser();
    const answer = await browser.call(path);
    expect(answer.json()).toEqual({ linkValidityInMinutes: 30 });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect([...browser.cookies.keys()].toSorted()).toEqual(['XSRF-TOKEN', 'anteroom_session']);
    expect((await browser.post('/api/ui/recovery/password-link', { userName: 'nobody' })).status).toBe(204);
  });

  test('a visitor from a sign-in returns to it in the same browser', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const answer = await browser.call(path, { refererClientId: portal.clientId });
    const signInUrl = new URL(String(answer.json()['signInUrl']));
    expect(`${signInUrl.origin}${signInUrl.pathname}`).toBe(`${publicUrl}/ui/account/login`);
    expect(signInUrl.searchParams.get('ReturnUrl')).toBe(returnUrl);
    expect((await sendPassword(browser, { returnUrl })).json()['status']).toBe('redirect');
  });

  test('in another browser, or after the sign-in has ended, the visitor goes to the application to start again', async () => {
    const browser = application().openBrowser();
    await beginSignIn(browser, portal);
    const query = { refererClientId: portal.clientId, refererRedirectUri: portal.redirectUri };
    const home = 'http://localhost:4401/';
    expect((await application().openBrowser().call(path, query)).json()['signInUrl']).toBe(home);
    application().clock.advanceSeconds(31 * 60);
    expect((await browser.call(path, query)).json()['signInUrl']).toBe(home);
  });

  test('the branding of the requesting application is kept', async () => {
    const { database, clock } = application().services;
    const customizations = {
      languageSelectionAndLinksDisabled: true,
      publicComputerSignInDisabled: false,
      signInCredentialsRecoveryDisabled: false,
      nestedUIEliminated: true,
    };
    const branding = { productName: 'Embedded Boards', accentColour: '#6a1b9a' };
    const metadata = { redirect_uris: ['https://embedded.example/back'], branding };
    await database
      .insertInto('clients')
      .values({
        id: 'embedded',
        display_name: 'Embedded',
        customizations: JSON.stringify(customizations),
        metadata: JSON.stringify(metadata),
        created_at: clock.now(),
      })
      .execute();
    const answer = await application().openBrowser().call(path, { refererClientId: 'embedded' });
    // The application has no start page, so there is no link back.
    expect(answer.json()).toEqual({
      linkValidityInMinutes: 30,
      loginFlowCustomizations: customizations,
      branding,
    });
  });

  test('addresses in the query are never followed without validation [S01]', async () => {
    const queries: Record<string, string>[] = [
      { refererClientId: 'https://evil.test' },
      { refererClientId: portal.clientId, refererRedirectUri: 'https://evil.test/' },
      { refererRedirectUri: 'https://evil.test/' },
      { refererClientId: "' or 1=1 --" },
    ];
    for (const query of queries)
      expect((await application().openBrowser().call(path, query)).json()['signInUrl']).toBeUndefined();
    const unknown = { returnUrl: 'https://evil.test/' };
    expect((await application().openBrowser().call(path, unknown)).status).toBe(400);
  });
});

describe('the links to the recovery pages', () => {
  test('are in the context of a sign-in and in the data of a site, with the configured host [I32]', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const context = (await browser.call('/api/ui/auth-context', { returnUrl, site: 'harbor' })).json();
    expect(context).toMatchObject({
      forgotPasswordUrl: `${publicUrl}/ui/recovery/forgotten-password`,
      siteRecoveryClientUri: `${publicUrl}/ui/recovery/forgotten-site`,
    });
    const site = (await browser.call('/api/ui/sites/harbor')).json();
    expect(site['forgotPasswordUrl']).toBe(`${publicUrl}/ui/recovery/forgotten-password`);
  });
});
