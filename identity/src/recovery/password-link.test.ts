import { beforeEach, describe, expect, test } from 'vitest';
import { portal, publicUrl, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import { openEmbeddedTestDatabase } from '../../testing/describe-store.ts';
import { sendPassword } from '../../testing/journeys.ts';
import {
  askForLink,
  deliverMails,
  findPersonId,
  openRecoveryPage,
  readLink,
} from '../../testing/recovery.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { messagesForPerson, requestsOfAddress } from './limits.ts';

const application = useApplication();
const secretary = 'secretary@demo.example';
const director = 'director@demo.example';

beforeEach(async () => {
  const { database } = application().services;
  for (const table of ['limits', 'outbox', 'password_links'] as const)
    await database.deleteFrom(table).execute();
});

/** What a caller sees of an answer, without what differs from call to call for everybody. */
function visible({ status, headers, cookies, text }: Awaited<ReturnType<typeof askForLink>>) {
  const masked = { ...headers, date: 'date', 'x-correlation-id': 'id' };
  return { status, headers: Object.entries(masked), cookies, text };
}

describe('whoever asks for a new password', () => {
  test('S26: gets the same answer for anybody: known, unknown, disabled, without password or e-mail', async () => {
    const { services } = application();
    const { database, clock } = services;
    const add = async (name: string, more: { status?: 'disabled'; email?: string }) => {
      const now = clock.now();
      const person = { id: name, user_name: name, first_name: 'A', last_name: 'B', ...more };
      await database
        .insertInto('people')
        .values({ ...person, created_at: now, updated_at: now })
        .execute();
      await database.insertInto('sign_in_names').values({ name_key: name, person_id: name }).execute();
      await database
        .insertInto('credentials')
        .values({ person_id: name, password_hash: 'x', changed_at: now })
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

  test('S27: costs the same before the answer, statement for statement; only afterwards anybody is looked up', async () => {
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
      // the allowance of the address alone: no people, no names, no links
      expect(known.join()).not.toMatch(/people|sign_in_names|password_links|outbox/);
      expect(await deliverMails(counted.application)).toEqual([]);
    } finally {
      await counted.close();
    }
  });

  test('is sent one link, by the user name or the e-mail, however it is spelled', async () => {
    for (const name of [secretary, ' SECRETARY@demo.example ']) {
      await askForLink(await openRecoveryPage(application()), name);
      const [mail, ...others] = await deliverMails(application());
      expect(others).toEqual([]);
      expect(mail?.recipient).toBe(secretary);
      expect(mail?.text).toContain('Hello Samira Okafor,');
    }
  });

  test('S43: finds the token in the fragment of the link and nowhere else; the database has its hash alone', async () => {
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

  test('is written to in the language of the page, and led to a page in it', async () => {
    const browser = await openRecoveryPage(application());
    await askForLink(browser, secretary, { headers: { 'accept-language': 'ar' } });
    const [mail] = await deliverMails(application());
    expect(mail?.subject).toBe('رابط لاختيار كلمة مرور جديدة');
    expect(readLink(mail!).searchParams.get('culture')).toBe('ar');
  });

  test('is told to go to their organisation when that is who signs them in', async () => {
    await askForLink(await openRecoveryPage(application()), 'employee@corp.example');
    const [mail] = await deliverMails(application());
    expect(mail?.text).toContain('You sign in through your organisation');
    expect(mail?.text).not.toContain('/recovery/');
  });

  test('is led back to the application that they came from, when it is registered and named rightly', async () => {
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

describe('nobody can be harmed by it', () => {
  test('S05: another Host gets no mail sent, and forwarded ones change no link', async () => {
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

  test('S12: another site cannot ask in the name of a visitor', async () => {
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

  test('a person is sent three messages in half an hour and no more; nobody who asks sees a difference', async () => {
    const askOnce = async () => visible(await askForLink(await openRecoveryPage(application()), secretary));
    const first = await askOnce();
    for (let asked = 1; asked < 10; asked += 1) expect(await askOnce()).toEqual(first);
    expect(await deliverMails(application())).toHaveLength(messagesForPerson.count);

    application().clock.advanceSeconds(messagesForPerson.windowSeconds);
    await askOnce();
    expect(await deliverMails(application())).toHaveLength(1);
  });

  test('while nothing more is sent, the latest link works', async () => {
    for (let asked = 0; asked < 6; asked += 1)
      await askForLink(await openRecoveryPage(application()), secretary);
    const latest = (await deliverMails(application())).at(-1);
    application().clock.advanceSeconds(messagesForPerson.windowSeconds - 1);
    const browser = await openRecoveryPage(application());
    const token = readLink(latest!).hash.slice(1);
    expect((await browser.post('/api/ui/recovery/open-password-link', { token })).status).toBe(200);
  });

  test('user name and e-mail of a person are counted as one', async () => {
    const { database } = application().services;
    const personId = await findPersonId(application(), secretary);
    await database.insertInto('sign_in_names').values({ name_key: 'samira', person_id: personId }).execute();
    for (let asked = 0; asked < 6; asked += 1)
      await askForLink(await openRecoveryPage(application()), asked % 2 === 0 ? 'Samira' : secretary);
    expect(await deliverMails(application())).toHaveLength(messagesForPerson.count);
  });

  test('an address may ask 20 times in an hour, for whomever; then it is told to wait', async () => {
    const browser = await openRecoveryPage(application());
    for (let asked = 0; asked < requestsOfAddress.count; asked += 1)
      expect((await askForLink(browser, `nobody-${asked}`)).status).toBe(204);
    for (const name of [secretary, 'nobody']) {
      const answer = await askForLink(browser, name);
      expect(answer.status).toBe(429);
      expect(answer.json()).toEqual({ code: 'rate_limit_reached' });
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3500);
    }
  });

  test('asking locks nobody out', async () => {
    for (let asked = 0; asked < 15; asked += 1)
      await askForLink(await openRecoveryPage(application()), secretary);
    const browser = application().openBrowser();
    const answer = await sendPassword(browser, await beginSignIn(browser, portal));
    expect(answer.json()['status']).toBe('redirect');
    await deliverMails(application());
  });

  test('what waits when the service stops is still sent', async () => {
    const { database, close } = await openEmbeddedTestDatabase();
    const other = await startApplication(database);
    await askForLink(await openRecoveryPage(other), director);
    await other.close();
    const mails = await database.selectFrom('outbox').select('recipient').execute();
    expect(mails).toEqual([{ recipient: director }]);
    await close();
  });
});

/** The service on a database that writes down which statements it is asked for. */
async function startCounting(): Promise<{
  application: TestApplication;
  statements: string[];
  close: () => Promise<void>;
}> {
  const { database, close } = await openEmbeddedTestDatabase();
  const statements: string[] = [];
  const listening = database.withPlugin({
    transformQuery({ node }) {
      const text = JSON.stringify(node, (key, value: unknown) => (key === 'value' ? undefined : value));
      // the audit log is written beside the work, whenever a batch is due
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
