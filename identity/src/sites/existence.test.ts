import { describe, expect, test } from 'vitest';
import { publicUrl } from '../../testing/application.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();
const ask = async (path: string, query: Record<string, string> = {}) =>
  (await application().openBrowser().call(path, query)).json();

describe('a site by its name', () => {
  test('is found in whatever capitals and spaces, with its home and where its people recover a password', async () => {
    for (const name of ['harbor', 'Harbor', '%20HARBOR%20'])
      expect(await ask(`/api/ui/sites/${name}`)).toEqual({
        siteExists: true,
        identityServiceUrl: publicUrl,
        forgotPasswordUrl: `${publicUrl}/ui/recovery/forgotten-password`,
      });
  });

  test.each(['atlantis', 'harbor%25', '__proto__', "harbor'--", '..'])('%s is none', async (name) => {
    expect(await ask(`/api/ui/sites/${name}`)).not.toMatchObject({ siteExists: true });
  });

  test('a site that was disabled is none', async () => {
    const { database } = application().services;
    const disable = (disabled_at: Date | null) =>
      database.updateTable('sites').set({ disabled_at }).where('name', '=', 'summit').execute();
    await disable(application().clock.now());
    expect(await ask('/api/ui/sites/summit')).toEqual({ siteExists: false });
    await disable(null);
    expect(await ask('/api/ui/sites/summit')).toMatchObject({ siteExists: true });
  });
});

describe('S28: settings say what a site has configured and nothing of who is there', () => {
  test('a site that nobody has answers like one without settings', async () => {
    for (const site of ['harbor', 'atlantis'])
      expect(await ask('/api/ui/auth/settings/site', { site })).toEqual({ allowPasswordEntry: true });
    expect(await ask('/api/ui/auth/settings/site', { site: 'corp' })).toEqual({ allowPasswordEntry: false });
  });

  test('a person who is there and one who is not get the same', async () => {
    for (const site of ['harbor', 'corp', 'atlantis']) {
      const [known, unknown] = [
        await ask('/api/ui/auth/settings/user', { site, usernameOrEmail: 'secretary@demo.example' }),
        await ask('/api/ui/auth/settings/user', { site, usernameOrEmail: 'nobody@demo.example' }),
      ];
      expect(known).toEqual(unknown);
      expect(known).toEqual({ shouldRedirectToExternalAuth: site === 'corp' });
    }
  });

  test('GET and POST answer the same', async () => {
    const browser = application().openBrowser();
    await browser.call('/api/ui/logout-context');
    const posted = await browser.post('/api/auth/settings/site', { returnUrl: '/x', site: 'corp' });
    expect(posted.json()).toEqual({ allowPasswordEntry: false });
    const user = await browser.post('/api/auth/settings/user', { site: 'corp', usernameOrEmail: 'x' });
    expect(user.json()).toEqual({ shouldRedirectToExternalAuth: true });
  });
});
