import { describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { addAccount, passwordOf } from '../../testing/two-people/accounts.ts';
import type { Account } from '../../testing/two-people/accounts.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { latestCode, openTraveller, signInAtHome } from '../../testing/regions/traveller.ts';
import type { Traveller } from '../../testing/regions/traveller.ts';
import { director, lakeside } from '../../testing/regions/two-regions.ts';
import { useRegions } from '../../testing/regions/use-regions.ts';

describe('a site of us that is named at eu before anybody is signed in', () => {
  const regions = useRegions();

  /** What a page of eu sends with each call to us; a browser adds the first two. */
  const fromEu = () => ({
    origin: regions().eu.url,
    'sec-fetch-site': 'same-site',
    'x-xsrf-token': '',
    'x-correlation-id': 'page.1',
    'conforming-errors': 'true',
  });
  const askUs = ({ us }: Traveller, path: string, query: Record<string, string>) =>
    us.visit(`${path}?${new URLSearchParams(query).toString()}`, { accept: 'application/json', ...fromEu() });
  const tellUs = (browser: Browser, path: string, body: unknown) => browser.post(path, body, fromEu());

  async function nameSite(): Promise<{ traveller: Traveller; returnUrl: string }> {
    const traveller = openTraveller(regions());
    const { returnUrl } = await beginSignIn(traveller.eu, portal);
    return { traveller, returnUrl };
  }

  test('its home is us, by its name and by the context; a site of eu is at home', async () => {
    const { traveller, returnUrl } = await nameSite();
    const { eu, us } = regions();
    expect((await traveller.eu.call(`/api/ui/sites/${lakeside}`)).json()).toEqual({
      siteExists: true,
      name: lakeside,
      displayName: 'Lakeside Partners',
      logoPath: '/dev/logos/lakeside.svg',
      identityServiceUrl: us.url,
      forgotPasswordUrl: `${us.url}/ui/recovery/forgotten-password`,
    });
    const context = async (site: string) =>
      (await traveller.eu.call('/api/ui/auth-context', { returnUrl, site })).json();
    expect(await context(lakeside)).toMatchObject({ identityServiceUrl: us.url, defaultSite: lakeside });
    expect(await context('harbor')).toMatchObject({ identityServiceUrl: eu.url });
  });

  test('an extension is listed once a site uses it, so that a region of the release before is not asked with its header', async () => {
    const { traveller, returnUrl } = await nameSite();
    const list = async () =>
      (await traveller.eu.call('/api/ui/auth-context', { returnUrl })).json()['extensions'];
    expect(await list()).toEqual([]);
    const { database } = regions().eu.services;
    const harbor = database.updateTable('sites').where('name', '=', 'harbor');
    await harbor.set({ authenticator_apps: true }).execute();
    expect(await list()).toEqual(['totp']);
    await harbor.set({ authenticator_apps: false }).execute();
  });

  test('the page of eu signs in at us, and the application is asked to begin there', async () => {
    const { traveller, returnUrl } = await nameSite();
    const { us } = regions();
    const settings = await askUs(traveller, '/api/ui/auth/settings/site', { returnUrl, site: lakeside });
    expect(settings.json()).toEqual({ allowPasswordEntry: true });
    expect(settings.headers['access-control-allow-origin']).toBe(regions().eu.url);

    const asked = await tellUs(traveller.us, '/api/ui/authenticate', {
      returnUrl,
      ...director,
      site: lakeside,
    });
    expect(asked.json()).toMatchObject({ status: 'second_factor_required' });
    const entered = await tellUs(traveller.us, '/api/ui/verify-mfa-code', {
      returnUrl,
      code: await latestCode(us),
    });
    const beginning = `http://localhost:4401/initiate-sign-in?iss=${encodeURIComponent(us.url)}`;
    expect(entered.json()).toEqual({ status: 'redirect', location: beginning });
    // the page had no valid session when it began, so it asks where to go, and once more a few seconds later
    const where = await askUs(traveller, '/api/ui/auth/post-login-redirect', { returnUrl });
    expect(where.json()).toEqual({ location: beginning });
    expect((await askUs(traveller, '/api/ui/auth/retry', {})).json()).toEqual({ retry: true });
    expect((await traveller.us.call('/api/ui/sites')).status).toBe(200);
    // nothing of it is a session at eu
    expect((await traveller.eu.call('/api/ui/sites')).status).toBe(401);
  });

  test('a wrong password is the form’s own error, counted at us', async () => {
    const { traveller, returnUrl } = await nameSite();
    const body = { returnUrl, ...director, password: 'wrong', site: lakeside };
    const refused = await tellUs(traveller.us, '/api/ui/authenticate', body);
    expect([refused.status, refused.json()['code']]).toEqual([401, 'invalid_credentials']);
  });

  test('whoever is signed in at us as somebody else is not taken for the person who is named', async () => {
    const { traveller, returnUrl } = await nameSite();
    const other = { ...director, userName: 'newcomer@demo.example', site: lakeside };
    const refused = await tellUs(traveller.us, '/api/ui/authenticate', { returnUrl, ...other });
    expect(refused.json()['code']).toBe('invalid_credentials');
  });

  test('S25: the second factor of one person does not count for another who signs in after them', async () => {
    const { traveller, returnUrl } = await nameSite();
    const { us } = regions();
    const [attacker, victim] = [
      await addAccount(us, { memberOf: [lakeside] }),
      await addAccount(us, { memberOf: [lakeside] }),
    ];
    const authenticate = (who: Account) =>
      tellUs(traveller.us, '/api/ui/authenticate', { returnUrl, ...passwordOf(who), site: lakeside });
    await authenticate(attacker);
    const code = await latestCode(us);
    await tellUs(traveller.us, '/api/ui/verify-mfa-code', { returnUrl, code });
    expect((await authenticate(victim)).json()).toMatchObject({ status: 'second_factor_required' });
    expect((await traveller.us.call('/api/ui/sites')).json()).toMatchObject({ userFirstName: attacker.id });
  });

  test('the page of eu signs in again with the same request two minutes after its sign-in has finished', async () => {
    const { traveller, returnUrl } = await nameSite();
    const { us } = regions();
    const authenticate = () =>
      tellUs(traveller.us, '/api/ui/authenticate', { returnUrl, ...director, site: lakeside });
    await authenticate();
    const code = await latestCode(us);
    const finished = await tellUs(traveller.us, '/api/ui/verify-mfa-code', { returnUrl, code });
    expect(finished.json()).toMatchObject({ status: 'redirect' });
    us.clock.advanceSeconds(120);
    expect((await authenticate()).json()).toEqual(finished.json());
  });

  test('the page comes to know its sign-in by its own name again', async () => {
    const { traveller, returnUrl } = await nameSite();
    await tellUs(traveller.us, '/api/ui/authenticate', { returnUrl, ...director, site: lakeside });
    const refreshed = await askUs(traveller, '/api/ui/refresh-context', {});
    expect(refreshed.json()['returnUrl']).toBe(returnUrl);
  });

  test('without the origin of a listed region nothing begins, in whatever browser', async () => {
    const { traveller, returnUrl } = await nameSite();
    await traveller.us.call('/api/ui/logout-context');
    const own = await traveller.us.post('/api/ui/authenticate', { returnUrl, ...director, site: lakeside });
    expect([own.status, own.json()['code']]).toEqual([404, 'not_found']);
    const rows = await regions()
      .us.services.database.selectFrom('sign_ins')
      .select('uid')
      .where('region_uid', '=', /authorize\/([^?]+)/.exec(returnUrl)?.[1] ?? '')
      .execute();
    expect(rows).toEqual([]);
  });

  test('an unfinished one goes on where it was asked: at eu', async () => {
    const { traveller, returnUrl } = await nameSite();
    const where = await askUs(traveller, '/api/ui/auth/post-login-redirect', { returnUrl });
    expect(String(where.json()['location'])).toMatch(new RegExp(`^${regions().eu.url}/connect/authorize\\?`));
  });

  test('S57: a site whose home nobody lists is none, and leads nowhere', async () => {
    const { database } = regions().eu.services;
    const set = (identity_service_url: string | null) =>
      database.updateTable('sites').set({ identity_service_url }).where('name', '=', 'northwind').execute();
    await set('http://evil.test');
    const { traveller, returnUrl } = await nameSite();
    expect((await traveller.eu.call('/api/ui/sites/northwind')).json()).toEqual({ siteExists: false });
    const context = await traveller.eu.call('/api/ui/auth-context', { returnUrl, site: 'northwind' });
    expect(context.text).not.toContain('evil.test');
    const signedIn = await signInAtHome(regions(), traveller);
    const chosen = await traveller.eu.post('/api/ui/auth/select-site', {
      site: 'northwind',
      returnUrl: signedIn.returnUrl,
    });
    expect([chosen.status, chosen.json()['code']]).toEqual([400, 'session_migration_failure']);
    await set(null);
  });

  test.each(['http://evil.test', '//evil.test', '../x', '', 'a'.repeat(43), '%00', '__proto__'])(
    'S57: a request that is %j leads to the error page and nowhere else',
    async (request) => {
      for (const browser of Object.values(openTraveller(regions()))) {
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
