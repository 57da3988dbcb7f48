import { beforeEach, describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { deliverMails, openRecoveryPage } from '../../testing/recovery.ts';
import { useApplication } from '../../testing/use-application.ts';
import { messagesForUser } from './link-limits.ts';

const application = useApplication();
const director = 'director@demo.example';

beforeEach(async () => {
  const { database } = application().services;
  for (const table of ['limits', 'outbox'] as const) await database.deleteFrom(table).execute();
});

const linkTo = (site: string) => `${publicUrl}/recovery/open-site?site=${site}&client=${portal.clientId}`;

async function askForSites(email: string, more: object = {}, headers: Record<string, string> = {}) {
  const browser = await openRecoveryPage(application());
  return browser.post('/api/ui/recovery/site-names', { email, ...more }, headers);
}

describe('a request for site names', () => {
  test('sends the names of the user’s sites, each group before its children, and how to enter them', async () => {
    expect((await askForSites(director, { refererClientId: portal.clientId })).status).toBe(204);
    const [mail, ...others] = await deliverMails(application());
    expect(others).toEqual([]);
    expect(mail?.recipient).toBe(director);
    expect(mail?.text.split('\n')).toEqual([
      'Hello Dana Whitfield,',
      '',
      'These are the boards you have access to, each with the site name to enter when you sign in:',
      '',
      'Harbor Trust (harbor)',
      linkTo('harbor'),
      '',
      'Northwind Holdings (northwind)',
      linkTo('northwind'),
      '',
      'Northwind Audit Committee (northwind-audit)',
      linkTo('northwind-audit'),
      '',
      'Northwind Remuneration Committee (northwind-remuneration)',
      linkTo('northwind-remuneration'),
      '',
      'Summit Foundation (summit)',
      linkTo('summit'),
      '',
      'Sign in',
      'http://localhost:4401/',
      '',
      'If you did not request this, you do not need to do anything.',
      '',
      'Anteroom',
      '',
      'Your account belongs to: Harbor Trust, Northwind Holdings, and Summit Foundation',
      '',
      'Need help? http://localhost:4401/support',
      '',
    ]);
  });

  test('the link in the e-mail makes the browser remember the site and starts a sign-in at the application', async () => {
    const open = (query: Record<string, string>) =>
      application().openBrowser().call('/recovery/open-site', query);
    const opened = await open({ site: 'harbor', client: portal.clientId });
    expect([opened.status, opened.headers['location']]).toEqual([
      303,
      `http://localhost:4401/initiate-sign-in?iss=${encodeURIComponent(publicUrl)}`,
    ]);
    expect(String(opened.headers['set-cookie'])).toMatch(/^anteroom_site=harbor;/);
    const error = [303, `${publicUrl}/ui/home/error`];
    for (const query of [
      { site: 'harbor' },
      { client: portal.clientId },
      { site: 'harbor', client: 'https://evil.test' },
      { site: 'x'.repeat(51), client: portal.clientId },
    ] as Record<string, string>[]) {
      const refused = await open(query);
      expect([refused.status, refused.headers['location']]).toEqual(error);
      expect(refused.headers['set-cookie']).toBeUndefined();
    }
  });

  test('has the same response for a known and an unknown e-mail address [S26]', async () => {
    const seen = async (email: string) => {
      const { status, headers, cookies, text } = await askForSites(email);
      return { status, cookies, text, headers: { ...headers, date: 'date', 'x-correlation-id': 'id' } };
    };
    expect(await seen('nobody@demo.example')).toEqual(await seen(director));
    expect(await deliverMails(application())).toHaveLength(1);
  });

  test('lists no disabled site, and says what to do if there are none', async () => {
    const { database, clock } = application().services;
    const setClosed = (at: Date | null) =>
      database.updateTable('sites').set({ disabled_at: at }).where('name', '=', 'harbor').execute();
    await setClosed(clock.now());
    await askForSites('secretary@demo.example');
    const [mail] = await deliverMails(application());
    await setClosed(null);
    expect(mail?.text).not.toContain('harbor');
    expect(mail?.text).toContain('You do not have access to any board at the moment.');
  });

  test('the name of a site is escaped [S07]', async () => {
    const { database } = application().services;
    const setName = (name: string) =>
      database.updateTable('sites').set({ display_name: name }).where('name', '=', 'harbor').execute();
    await setName('Harbor\r\nBcc: everybody\u202e {{userName}} <b>');
    await askForSites('secretary@demo.example');
    const [mail] = await deliverMails(application());
    await setName('Harbor Trust');
    expect(mail?.text).toContain('\n- Harbor Bcc: everybody {{userName}} <b>: harbor\n');
  });

  test('sends the e-mail in the language of the page', async () => {
    await askForSites(director, {}, { 'accept-language': 'he' });
    const [mail] = await deliverMails(application());
    expect(mail?.subject).toBe('שמות הפורטלים שלך');
  });

  test('ignores an unregistered address in the request', async () => {
    await askForSites(director, {
      refererClientId: portal.clientId,
      refererRedirectUri: 'https://evil.test/',
    });
    const [mail] = await deliverMails(application());
    expect(mail?.text).not.toMatch(/evil|4401\/\n/);
  });

  test('messages of both kinds share one limit', async () => {
    const browser = await openRecoveryPage(application());
    for (let count = 0; count < 4; count += 1) {
      await browser.post('/api/ui/recovery/site-names', { email: director });
      await browser.post('/api/ui/recovery/password-link', { userName: director });
    }
    expect(await deliverMails(application())).toHaveLength(messagesForUser.count);
  });
});
