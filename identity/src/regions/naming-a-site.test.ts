import { describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { addAccount, passwordOf } from '../../testing/two-users/accounts.ts';
import type { Account } from '../../testing/two-users/accounts.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { latestCode, openVisitor, signInAtHome } from '../../testing/regions/visitor.ts';
import type { Visitor } from '../../testing/regions/visitor.ts';
import { director, lakeside } from '../../testing/regions/two-regions.ts';
import { useRegions } from '../../testing/regions/use-regions.ts';

describe('a site of region us, entered on the page of eu before sign-in', () => {
  const regions = useRegions();

  /** The headers that a page of eu sends with each call to us; the browser adds the first two. */
  const fromEu = () => ({
    origin: regions().eu.url,
    'sec-fetch-site': 'same-site',
    'x-xsrf-token': '',
    'x-correlation-id': 'page.1',
    'conforming-errors': 'true',
  });
  const askUs = ({ us }: Visitor, path: string, query: Record<string, string>) =>
    us.visit(`${path}?${new URLSearchParams(query).toString()}`, { accept: 'application/json', ...fromEu() });
  const callUs = (browser: Browser, path: string, body: unknown) => browser.post(path, body, fromEu());

  async function nameSite(): Promise<{ visitor: Visitor; returnUrl: string }> {
    const visitor = openVisitor(regions());
    const { returnUrl } = await beginSignIn(visitor.eu, portal);
    return { visitor, returnUrl };
  }

  test('the home region is us, by site name and in the context; a site of eu has no other home region', async () => {
    const { visitor, returnUrl } = await nameSite();
    const { eu, us } = regions();
    expect((await visitor.eu.call(`/api/ui/sites/${lakeside}`)).json()).toEqual({
      siteExists: true,
      name: lakeside,
      displayName: 'Lakeside Partners',
      logoPath: '/dev/logos/lakeside.svg',
      identityServiceUrl: us.url,
      forgotPasswordUrl: `${us.url}/ui/recovery/forgotten-password`,
    });
    const context = async (site: string) =>
      (await visitor.eu.call('/api/ui/auth-context', { returnUrl, site })).json();
    expect(await context(lakeside)).toMatchObject({ identityServiceUrl: us.url, defaultSite: lakeside });
    expect(await context('harbor')).toMatchObject({ identityServiceUrl: eu.url });
  });

  test('the eu page signs in to region us, and the application is asked to start a sign-in there [7.1]', async () => {
    const { visitor, returnUrl } = await nameSite();
    const { us } = regions();
    const settings = await askUs(visitor, '/api/ui/auth/settings/site', { returnUrl, site: lakeside });
    expect(settings.json()).toEqual({ allowPasswordEntry: true });
    expect(settings.headers['access-control-allow-origin']).toBe(regions().eu.url);

    const asked = await callUs(visitor.us, '/api/ui/authenticate', {
      returnUrl,
      ...director,
      site: lakeside,
    });
    expect(asked.json()).toMatchObject({ status: 'second_factor_required' });
    const entered = await callUs(visitor.us, '/api/ui/verify-mfa-code', {
      returnUrl,
      code: await latestCode(us),
    });
    const beginning = `http://localhost:4401/initiate-sign-in?iss=${encodeURIComponent(us.url)}`;
    expect(entered.json()).toEqual({ status: 'redirect', location: beginning, sessionValid: true });
    // The page started without a valid session, so it requests the redirect target, and again a few seconds later.
    const where = await askUs(visitor, '/api/ui/auth/post-login-redirect', { returnUrl });
    expect(where.json()).toEqual({ location: beginning });
    expect((await askUs(visitor, '/api/ui/auth/retry', {})).json()).toEqual({ retry: true });
    expect((await visitor.us.call('/api/ui/sites')).status).toBe(200);
    // There is no session in region eu.
    expect((await visitor.eu.call('/api/ui/sites')).status).toBe(401);
  });

  test('a wrong password is reported in the form and counted in region us', async () => {
    const { visitor, returnUrl } = await nameSite();
    const body = { returnUrl, ...director, password: 'wrong', site: lakeside };
    const refused = await callUs(visitor.us, '/api/ui/authenticate', body);
    expect([refused.status, refused.json()['code']]).toEqual([401, 'invalid_credentials']);
  });

  test('a session of another user in region us does not count for the user who is named', async () => {
    const { visitor, returnUrl } = await nameSite();
    const other = { ...director, userName: 'newcomer@demo.example', site: lakeside };
    const refused = await callUs(visitor.us, '/api/ui/authenticate', { returnUrl, ...other });
    expect(refused.json()['code']).toBe('invalid_credentials');
  });

  test('the second factor of one user does not count for another user who signs in next [S25]', async () => {
    const { visitor, returnUrl } = await nameSite();
    const { us } = regions();
    const [attacker, victim] = [
      await addAccount(us, { memberOf: [lakeside] }),
      await addAccount(us, { memberOf: [lakeside] }),
    ];
    const authenticate = (who: Account) =>
      callUs(visitor.us, '/api/ui/authenticate', { returnUrl, ...passwordOf(who), site: lakeside });
    await authenticate(attacker);
    const code = await latestCode(us);
    await callUs(visitor.us, '/api/ui/verify-mfa-code', { returnUrl, code });
    expect((await authenticate(victim)).json()).toMatchObject({ status: 'second_factor_required' });
    expect((await visitor.us.call('/api/ui/sites')).json()).toMatchObject({ userFirstName: attacker.id });
  });

  test('the eu page can sign in again with the same request two minutes after its sign-in finished', async () => {
    const { visitor, returnUrl } = await nameSite();
    const { us } = regions();
    const authenticate = () =>
      callUs(visitor.us, '/api/ui/authenticate', { returnUrl, ...director, site: lakeside });
    await authenticate();
    const code = await latestCode(us);
    const finished = await callUs(visitor.us, '/api/ui/verify-mfa-code', { returnUrl, code });
    expect(finished.json()).toMatchObject({ status: 'redirect' });
    us.clock.advanceSeconds(120);
    expect((await authenticate()).json()).toEqual(finished.json());
  });

  test('the page finds its sign-in in region us again by its own id', async () => {
    const { visitor, returnUrl } = await nameSite();
    await callUs(visitor.us, '/api/ui/authenticate', { returnUrl, ...director, site: lakeside });
    const refreshed = await askUs(visitor, '/api/ui/refresh-context', {});
    expect(refreshed.json()['returnUrl']).toBe(returnUrl);
  });

  test('a request without the origin of a listed region starts no sign-in', async () => {
    const { visitor, returnUrl } = await nameSite();
    await visitor.us.call('/api/ui/logout-context');
    const own = await visitor.us.post('/api/ui/authenticate', { returnUrl, ...director, site: lakeside });
    expect([own.status, own.json()['code']]).toEqual([404, 'not_found']);
    const rows = await regions()
      .us.services.database.selectFrom('sign_ins')
      .select('uid')
      .where('region_uid', '=', /authorize\/([^?]+)/.exec(returnUrl)?.[1] ?? '')
      .execute();
    expect(rows).toEqual([]);
  });

  test('an unfinished sign-in continues in eu, where it started', async () => {
    const { visitor, returnUrl } = await nameSite();
    const where = await askUs(visitor, '/api/ui/auth/post-login-redirect', { returnUrl });
    expect(String(where.json()['location'])).toMatch(new RegExp(`^${regions().eu.url}/connect/authorize\\?`));
  });

  test('a site with an unlisted home region is treated as unknown [S57]', async () => {
    const { database } = regions().eu.services;
    const set = (identity_service_url: string | null) =>
      database.updateTable('sites').set({ identity_service_url }).where('name', '=', 'northwind').execute();
    await set('http://evil.test');
    const { visitor, returnUrl } = await nameSite();
    expect((await visitor.eu.call('/api/ui/sites/northwind')).json()).toEqual({ siteExists: false });
    const context = await visitor.eu.call('/api/ui/auth-context', { returnUrl, site: 'northwind' });
    expect(context.text).not.toContain('evil.test');
    const signedIn = await signInAtHome(regions(), visitor);
    const chosen = await visitor.eu.post('/api/ui/auth/select-site', {
      site: 'northwind',
      returnUrl: signedIn.returnUrl,
    });
    expect([chosen.status, chosen.json()['code']]).toEqual([400, 'session_migration_failure']);
    await set(null);
  });

  test.each(['http://evil.test', '//evil.test', '../x', '', 'a'.repeat(43), '%00', '__proto__'])(
    'a request of %j leads to the error page and nowhere else [S57]',
    async (request) => {
      for (const browser of Object.values(openVisitor(regions()))) {
        for (const path of ['arrive', 'hand-over']) {
          const answer = await browser.visit(
            `/regions/${path}?${new URLSearchParams({ request }).toString()}`,
          );
          expect(answer.headers['location']).toMatch(/^\/ui\/home\/error\?errorId=[\w-]+$/);
        }
      }
    },
  );
});
