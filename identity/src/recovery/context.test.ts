import { describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { sendPassword } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();
const path = '/api/ui/recovery/context';

describe('what a recovery page begins with', () => {
  test('a visitor without a session gets one, and the anti-forgery value that belongs to it', async () => {
    const browser = application().openBrowser();
    const answer = await browser.call(path);
    expect(answer.json()).toEqual({ linkValidityInMinutes: 30 });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect([...browser.cookies.keys()].toSorted()).toEqual(['XSRF-TOKEN', '__Host-anteroom_session']);
    expect((await browser.post('/api/ui/recovery/password-link', { userName: 'nobody' })).status).toBe(204);
  });

  test('whoever came from a sign-in goes back to it, in the browser that has it', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const answer = await browser.call(path, { refererClientId: portal.clientId });
    const signInUrl = new URL(String(answer.json()['signInUrl']));
    expect(`${signInUrl.origin}${signInUrl.pathname}`).toBe(`${publicUrl}/ui/account/login`);
    expect(signInUrl.searchParams.get('ReturnUrl')).toBe(returnUrl);
    expect((await sendPassword(browser, { returnUrl })).json()['status']).toBe('redirect');
  });

  test('another browser, or one whose sign-in is over, goes to the application to begin anew', async () => {
    const browser = application().openBrowser();
    await beginSignIn(browser, portal);
    const query = { refererClientId: portal.clientId, refererRedirectUri: portal.redirectUri };
    const home = 'http://localhost:4401/';
    expect((await application().openBrowser().call(path, query)).json()['signInUrl']).toBe(home);
    application().clock.advanceSeconds(31 * 60);
    expect((await browser.call(path, query)).json()['signInUrl']).toBe(home);
  });

  test('the look of the application that they came from is kept', async () => {
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
    // it has no start page, so there is no way back to it
    expect(answer.json()).toEqual({
      linkValidityInMinutes: 30,
      loginFlowCustomizations: customizations,
      branding,
    });
  });

  test('S01: nothing that an address says is followed as it stands', async () => {
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

describe('the links to the pages', () => {
  test('the context of a sign-in and the existence of a site name them, on the configured address', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const context = (await browser.call('/api/ui/auth-context', { returnUrl })).json();
    expect(context).toMatchObject({
      forgotPasswordUrl: `${publicUrl}/ui/recovery/forgotten-password`,
      siteRecoveryClientUri: `${publicUrl}/ui/recovery/forgotten-site`,
    });
    const site = (await browser.call('/api/ui/sites/harbor')).json();
    expect(site['forgotPasswordUrl']).toBe(`${publicUrl}/ui/recovery/forgotten-password`);
  });
});
