import { describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { secretary, sendPassword } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();
const ask = async (path: string, query: Record<string, string> = {}) =>
  (await application().openBrowser().call(path, query)).json();

const harbor = {
  siteExists: true,
  name: 'harbor',
  displayName: 'Harbor Trust',
  logoPath: '/dev/logos/harbor.svg',
  identityServiceUrl: publicUrl,
  forgotPasswordUrl: `${publicUrl}/ui/recovery/forgotten-password`,
  allowPasswordEntry: true,
};

describe('the site for a visitor’s input', () => {
  test('is returned with its name, organisation, home region and password recovery page [I26]', async () => {
    for (const typed of ['harbor', '%20HARBOR%20', 'Harbor%20Trust', 'https%3A%2F%2Fharbor.example%2F'])
      expect(await ask(`/api/ui/sites/${typed}`)).toEqual(harbor);
  });

  test('an unlisted site is returned without its organisation, and is not found by its display name [S28]', async () => {
    const { database } = application().services;
    const setListed = (listed: boolean) =>
      database.updateTable('sites').set({ listed }).where('name', '=', 'harbor').execute();
    await setListed(false);
    const { displayName: _name, logoPath: _logo, ...withoutOrganisation } = harbor;
    expect(await ask('/api/ui/sites/harbor')).toEqual(withoutOrganisation);
    const answers = [await ask('/api/ui/sites/Harbor%20Trust'), await ask('/api/ui/sites/Nobody%20Trust')];
    await setListed(true);
    expect(answers).toEqual([{ siteExists: false }, { siteExists: false }]);
  });

  test('a site at which only a company signs in has no page for a forgotten password', async () => {
    const answer = await ask('/api/ui/sites/corp');
    expect(answer).toMatchObject({ name: 'corp', allowPasswordEntry: false });
    expect(answer.forgotPasswordUrl).toBeUndefined();
  });

  test('the domain of a company names its only site, and no site that is unlisted', async () => {
    const { database } = application().services;
    const { domain } = await database
      .selectFrom('connection_domains')
      .innerJoin('sites', 'sites.connection_id', 'connection_domains.connection_id')
      .select('domain')
      .where('sites.name', '=', 'corp')
      .executeTakeFirstOrThrow();
    await database
      .updateTable('connection_domains')
      .set({ domain: 'people.example' })
      .where('domain', '=', domain)
      .execute();
    const setListed = (listed: boolean) =>
      database.updateTable('sites').set({ listed }).where('name', '=', 'corp').execute();
    const answers = [await ask('/api/ui/sites/People.Example'), await ask('/api/ui/sites/other.example')];
    await setListed(false);
    answers.push(await ask('/api/ui/sites/people.example'));
    await setListed(true);
    await database
      .updateTable('connection_domains')
      .set({ domain })
      .where('domain', '=', 'people.example')
      .execute();
    expect(answers).toMatchObject([{ name: 'corp' }, { siteExists: false }, { siteExists: false }]);
  });

  test('every later call accepts the same input, for front ends that do not know the name', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const site = 'Harbor Trust';
    const context = (await browser.call('/api/ui/auth-context', { returnUrl, site })).json();
    expect(context).toMatchObject({
      defaultSite: 'harbor',
      defaultSiteDisplayName: 'Harbor Trust',
      defaultSiteLogoPath: '/dev/logos/harbor.svg',
    });
    for (const path of ['site', 'user']) {
      const asked = { returnUrl, site: 'Corp Industries', usernameOrEmail: 'somebody' };
      const { usernameOrEmail: _, ...ofSite } = asked;
      const settings = await browser.call(`/api/ui/auth/settings/${path}`, path === 'site' ? ofSite : asked);
      expect(settings.json()).toEqual(
        path === 'site' ? { allowPasswordEntry: false } : { shouldRedirectToExternalAuth: true },
      );
    }
    const director = { userName: 'director@demo.example', site: 'Summit Foundation' };
    const policies = await Promise.all(
      [director, { ...director, site: 'summit' }, { ...director, site: 'nowhere' }].map(async (body) =>
        (await browser.post('/api/ui/password-policy', body)).json(),
      ),
    );
    expect(policies[0]).toEqual(policies[1]);
    expect(policies[0]).not.toEqual(policies[2]);
    expect((await sendPassword(browser, { returnUrl }, { ...secretary, site })).json()).toMatchObject({
      status: 'redirect',
    });
  });

  test('the number of searches without a result is limited; above the limit, the context contains no site either [S28]', async () => {
    const { services, openBrowser } = application();
    const browser = openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const { addressFailures } = services.config.limits;
    const forget = () => services.database.deleteFrom('limits').execute();
    await forget();
    const answers = [];
    for (let asked = 0; asked <= addressFailures; asked += 1)
      answers.push(await browser.call(`/api/ui/sites/no-site-${asked}`));
    expect(answers.findIndex(({ status }) => status === 429)).toBe(addressFailures);
    expect((await browser.call('/api/ui/sites/harbor')).status).toBe(429);
    const context = await browser.call('/api/ui/auth-context', { returnUrl, site: 'harbor' });
    expect(context.json()['defaultSite']).toBeUndefined();
    await forget();
  });

  test.each(['atlantis', 'harbor%25', '__proto__', "harbor'--", '..'])('%s does not exist', async (name) => {
    expect(await ask(`/api/ui/sites/${name}`)).not.toMatchObject({ siteExists: true });
  });

  test('a disabled site does not exist', async () => {
    const { database } = application().services;
    const disable = (disabled_at: Date | null) =>
      database.updateTable('sites').set({ disabled_at }).where('name', '=', 'summit').execute();
    await disable(application().clock.now());
    expect(await ask('/api/ui/sites/summit')).toEqual({ siteExists: false });
    await disable(null);
    expect(await ask('/api/ui/sites/summit')).toMatchObject({ siteExists: true });
  });
});

describe('settings depend on the site’s configuration and not on its users [S28]', () => {
  test('an unknown site gets the response of a site with default settings', async () => {
    for (const site of ['harbor', 'atlantis'])
      expect(await ask('/api/ui/auth/settings/site', { site })).toEqual({ allowPasswordEntry: true });
    expect(await ask('/api/ui/auth/settings/site', { site: 'corp' })).toEqual({ allowPasswordEntry: false });
  });

  test('an existing and an unknown user get the same response', async () => {
    for (const site of ['harbor', 'corp', 'atlantis']) {
      const [known, unknown] = [
        await ask('/api/ui/auth/settings/user', { site, usernameOrEmail: 'secretary@demo.example' }),
        await ask('/api/ui/auth/settings/user', { site, usernameOrEmail: 'nobody@demo.example' }),
      ];
      expect(known).toEqual(unknown);
      expect(known).toEqual({ shouldRedirectToExternalAuth: site === 'corp' });
    }
  });

  test('GET and POST return the same [I26]', async () => {
    const browser = application().openBrowser();
    await browser.call('/api/ui/logout-context');
    const posted = await browser.post('/api/auth/settings/site', { returnUrl: '/x', site: 'corp' });
    expect(posted.json()).toEqual({ allowPasswordEntry: false });
    const user = await browser.post('/api/auth/settings/user', { site: 'corp', usernameOrEmail: 'x' });
    expect(user.json()).toEqual({ shouldRedirectToExternalAuth: true });
  });
});
