import { beforeEach, describe, expect, test } from 'vitest';
import { portal, publicUrl, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import { openTestDatabase } from '../../testing/describe-store.ts';
import { sendPassword } from '../../testing/journeys.ts';
import { askForLink, deliverMails, findUserId, openRecoveryPage, readLink } from '../../testing/recovery.ts';
import type { SentMail } from '../../testing/recovery.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { messagesForUser, requestsOfAddress } from './link-limits.ts';

const application = useApplication();
const secretary = 'secretary@demo.example';
const director = 'director@demo.example';

beforeEach(async () => {
  const { database } = application().services;
  for (const table of ['limits', 'outbox', 'password_links'] as const)
    await database.deleteFrom(table).execute();
});

/** The parts of a response that a caller can compare, without values that differ in every call. */
function visible({ status, headers, cookies, text }: Awaited<ReturnType<typeof askForLink>>) {
  const masked = { ...headers, date: 'date', 'x-correlation-id': 'id' };
  return { status, headers: Object.entries(masked), cookies, text };
}

describe('a request for a password link', () => {
  test('has the same response for a known, unknown or disabled user, and for a user without a password or e-mail address [S26]', async () => {
    const { services } = application();
    const { database, clock } = services;
    const add = async (name: string, more: { status?: 'disabled'; email?: string }) => {
      const now = clock.now();
      const user = { id: name, user_name: name, first_name: 'A', last_name: 'B', ...more };
      await database
        .insertInto('users')
        .values({ ...user, created_at: now, updated_at: now })
        .execute();
      await database.insertInto('sign_in_names').values({ name_key: name, user_id: name }).execute();
      await database
        .insertInto('credentials')
        .values({ user_id: name, password_hash: 'x', changed_at: now })
        .execute();
    };
    await add('disabled', { status: 'disabled', email: 'disabled@demo.example' });
    await add('unreachable', {});

    const names = [secretary, 'nobody@demo.example', 'disabled', 'unreachable', 'employee@corp.example'];
    const answers = [];
    for (const name of names) {
      const browser = await openRecoveryPage(application());
      answers.push(visible(await askForLink(browser, name)));
    }
    expect(answers[0]).toMatchObject({ status: 204, cookies: [], text: '' });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const mails = await deliverMails(application());
    expect(mails.map(({ recipient }) => recipient)).toEqual([secretary, 'employee@corp.example']);
  });

  test('runs the same statements before the response, and looks up the user only afterwards [S27]', async () => {
    const counted = await startCounting();
    try {
      const statementsFor = async (name: string): Promise<string[]> => {
        const browser = await openRecoveryPage(counted.application);
        counted.statements.length = 0;
        await askForLink(browser, name);
        return [...counted.statements];
      };
      const known = await statementsFor(secretary);
      expect(await deliverMails(counted.application)).toHaveLength(1);
      expect(known.length).toBeGreaterThan(0);
      expect(await statementsFor('nobody@demo.example')).toEqual(known);
      // The statements only check the limit of the address; they read no users, names or links.
      expect(known.join()).not.toMatch(/users|sign_in_names|password_links|outbox/);
      expect(await deliverMails(counted.application)).toEqual([]);
    } finally {
      await counted.close();
    }
  });

  test('sends one link, for the user name or the e-mail address in any spelling', async () => {
    for (const name of [secretary, ' SECRETARY@demo.example ']) {
      await askForLink(await openRecoveryPage(application()), name);
      const [mail, ...others] = await deliverMails(application());
      expect(others).toEqual([]);
      expect(mail?.recipient).toBe(secretary);
      expect(mail?.text).toContain('Hello Samira Okafor,');
    }
  });

  test('the token is only in the fragment of the link, and the database has only its hash [S43]', async () => {
    await askForLink(await openRecoveryPage(application()), secretary);
    const [mail] = await deliverMails(application());
    const link = readLink(mail!);
    expect(link.origin).toBe(publicUrl);
    expect(link.pathname).toBe('/ui/recovery/new-password');
    expect(Object.fromEntries(link.searchParams)).toEqual({ culture: 'en' });
    const token = link.hash.slice(1);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);

    const { database } = application().services;
    const rows = await database.selectFrom('password_links').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(application().log)).not.toContain(token);
  });

  test('sends the e-mail and opens the page in the language of the request', async () => {
    const browser = await openRecoveryPage(application());
    await askForLink(browser, secretary, { headers: { 'accept-language': 'ar' } });
    const [mail] = await deliverMails(application());
    expect(mail?.subject).toBe('رابط لاختيار كلمة مرور جديدة');
    expect(readLink(mail!).searchParams.get('culture')).toBe('ar');
  });

  test('tells a user of a federated site to reset the password at their organisation', async () => {
    await askForLink(await openRecoveryPage(application()), 'employee@corp.example');
    const [mail] = await deliverMails(application());
    expect(mail?.text).toContain('You sign in through your organisation');
    expect(mail?.text).not.toContain('/recovery/');
  });

  test('links back to the requesting application if it is registered with that redirect URI', async () => {
    const refererOf = async (more: Record<string, string>): Promise<string | null> => {
      await application().services.database.deleteFrom('limits').execute();
      await askForLink(await openRecoveryPage(application()), secretary, more);
      const [mail] = await deliverMails(application());
      return readLink(mail!).searchParams.get('refererClientId');
    };
    expect(await refererOf({ refererClientId: portal.clientId })).toBe(portal.clientId);
    expect(
      await refererOf({ refererClientId: portal.clientId, refererRedirectUri: portal.redirectUri }),
    ).toBe(portal.clientId);
    expect(
      await refererOf({ refererClientId: portal.clientId, refererRedirectUri: 'https://evil.test/' }),
    ).toBeNull();
    expect(await refererOf({ refererClientId: 'evil' })).toBeNull();
  });
});

describe('abuse', () => {
  test('a foreign Host header sends no e-mail, and forwarded headers do not change the link [S05]', async () => {
    const browser = await openRecoveryPage(application());
    const refused = await askForLink(browser, secretary, { headers: { host: 'evil.test' } });
    expect(refused.status).toBe(421);
    expect(await deliverMails(application())).toEqual([]);

    const forwarded = {
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'javascript',
      forwarded: 'host=evil.test',
    };
    expect((await askForLink(browser, secretary, { headers: forwarded })).status).toBe(204);
    const [mail] = await deliverMails(application());
    expect(readLink(mail!).origin).toBe(publicUrl);
    expect(mail?.text).not.toContain('evil.test');
  });

  test('another site cannot send the request for a visitor [S12]', async () => {
    const browser = await openRecoveryPage(application());
    const attempts: Record<string, string>[] = [
      { 'x-xsrf-token': '' },
      { 'x-xsrf-token': 'made-up' },
      { origin: 'https://evil.test' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of attempts)
      expect((await askForLink(browser, secretary, { headers })).status).toBe(403);
    expect((await askForLink(application().openBrowser(), secretary)).status).toBe(403);
    expect(await deliverMails(application())).toEqual([]);
  });

  test('a user gets at most three messages in half an hour, and the response does not reveal it', async () => {
    const askOnce = async () => visible(await askForLink(await openRecoveryPage(application()), secretary));
    const first = await askOnce();
    for (let count = 1; count < 10; count += 1) expect(await askOnce()).toEqual(first);
    expect(await deliverMails(application())).toHaveLength(messagesForUser.count);

    application().clock.advanceSeconds(messagesForUser.windowSeconds);
    await askOnce();
    expect(await deliverMails(application())).toHaveLength(1);
  });

  test('the latest link stays valid while the limit is reached', async () => {
    const mails: SentMail[] = [];
    for (let count = 0; count < 6; count += 1) {
      await askForLink(await openRecoveryPage(application()), secretary);
      // one after another, because parallel background tasks create the links in any order
      mails.push(...(await deliverMails(application())));
    }
    const latest = mails.at(-1);
    application().clock.advanceSeconds(messagesForUser.windowSeconds - 1);
    const browser = await openRecoveryPage(application());
    const token = readLink(latest!).hash.slice(1);
    expect((await browser.post('/api/ui/recovery/open-password-link', { token })).status).toBe(200);
  });

  test('user name and e-mail address of a user share one limit', async () => {
    const { database } = application().services;
    const userId = await findUserId(application(), secretary);
    await database.insertInto('sign_in_names').values({ name_key: 'samira', user_id: userId }).execute();
    for (let count = 0; count < 6; count += 1)
      await askForLink(await openRecoveryPage(application()), count % 2 === 0 ? 'Samira' : secretary);
    expect(await deliverMails(application())).toHaveLength(messagesForUser.count);
  });

  test('an address can send 20 requests in an hour, for any users, and then gets a wait', async () => {
    const browser = await openRecoveryPage(application());
    for (let count = 0; count < requestsOfAddress.count; count += 1)
      expect((await askForLink(browser, `nobody-${count}`)).status).toBe(204);
    for (const name of [secretary, 'nobody']) {
      const answer = await askForLink(browser, name);
      expect(answer.status).toBe(429);
      expect(answer.json()).toEqual({ code: 'rate_limit_reached' });
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3500);
    }
  });

  test('requests do not lock the account', async () => {
    for (let count = 0; count < 15; count += 1)
      await askForLink(await openRecoveryPage(application()), secretary);
    const browser = application().openBrowser();
    const answer = await sendPassword(browser, await beginSignIn(browser, portal));
    expect(answer.json()['status']).toBe('redirect');
    await deliverMails(application());
  });

  test('queued messages are sent on shutdown', async () => {
    const { database, close } = await openTestDatabase();
    const other = await startApplication(database);
    await askForLink(await openRecoveryPage(other), director);
    await other.close();
    const mails = await database.selectFrom('outbox').select('recipient').execute();
    expect(mails).toEqual([{ recipient: director }]);
    await close();
  });
});

/** The service on a database that records the statements. */
async function startCounting(): Promise<{
  application: TestApplication;
  statements: string[];
  close: () => Promise<void>;
}> {
  const { database, close } = await openTestDatabase();
  const statements: string[] = [];
  const listening = database.withPlugin({
    transformQuery({ node }) {
      const text = JSON.stringify(node, (key, value: unknown) => (key === 'value' ? undefined : value));
      // The audit log is written in batches, independent of the request.
      if (!text.includes('audit_events')) statements.push(text);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const started = await startApplication(listening);
  return {
    application: started,
    statements,
    close: async () => {
      await started.close();
      await close();
    },
  };
}
