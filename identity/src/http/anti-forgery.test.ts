import { calls } from '@anteroom/contract';
import { accountCalls } from '@anteroom/contract/account';
import { preferenceCalls } from '@anteroom/contract/preferences';
import { rememberedAccountCalls } from '@anteroom/contract/remembered-accounts';
import { recoveryCalls } from '@anteroom/contract/recovery';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginSignIn } from '../../testing/relying-party.ts';
import { openTestDatabase } from '../../testing/describe-store.ts';
import type { TestDatabase } from '../../testing/describe-store.ts';
import { portal, publicUrl, startApplication } from '../../testing/application.ts';
import { beginSession } from '../../testing/begin-session.ts';
import type { TestApplication } from '../../testing/application.ts';

// Attacks and faults, S12, S13 and S15: tests every call that changes state. The calls are taken from the contract, so
// that new calls are included.

const changing = Object.entries({
  ...calls,
  ...recoveryCalls,
  ...preferenceCalls,
  ...rememberedAccountCalls,
  ...accountCalls,
})
  .filter(([, call]) => call.method !== 'GET')
  .map(([name, call]) => ({ name, path: call.path }));

const sessionName = 'anteroom_session';
let database: TestDatabase;
let application: TestApplication;

beforeAll(async () => {
  database = await openTestDatabase();
  application = await startApplication(database.database);
});

afterAll(async () => {
  await application.close();
  await database.close();
});

type Held = { session: string; antiForgery: string };

/** Starts a sign-in in a new browser and returns its cookies. */
async function openBrowser(): Promise<Held> {
  const browser = application.openBrowser();
  await beginSignIn(browser, portal);
  const value = (name: string): string => browser.cookies.get(name)?.value ?? '';
  return { session: value(sessionName), antiForgery: value('XSRF-TOKEN') };
}

async function post(path: string, headers: Record<string, string | undefined>, payload = '{}') {
  const kept = Object.entries({ host: new URL(publicUrl).host, ...headers }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return application.app.inject({ method: 'POST', url: path, headers: Object.fromEntries(kept), payload });
}

/** The headers of a genuine request. */
function honest({ session, antiForgery }: Held): Record<string, string | undefined> {
  return {
    'content-type': 'application/json',
    origin: publicUrl,
    'sec-fetch-site': 'same-origin',
    cookie: `${sessionName}=${session}; XSRF-TOKEN=${antiForgery}`,
    'x-xsrf-token': antiForgery,
  };
}

/** A fingerprint of the database, to verify that nothing changed. */
async function contents(): Promise<string> {
  const tables = [
    'sessions',
    'sign_ins',
    'credentials',
    'limits',
    'openid_records',
    'error_records',
    'users',
    'password_links',
    'invitations',
  ] as const;
  // Uses one statement, because this runs after each of a thousand requests.
  const rows = tables.map((table) => sql`(select json_agg(${sql.table(table)}) from ${sql.table(table)})`);
  const { rows: found } = await sql`select md5(array[${sql.join(rows)}]::text)`.execute(database.database);
  return JSON.stringify(found);
}

type Variant = (held: Held, other: Held) => Record<string, string | undefined>;

const forged: Record<string, Variant> = {
  'no X-XSRF-TOKEN': () => ({ 'x-xsrf-token': undefined }),
  'an empty X-XSRF-TOKEN': () => ({ 'x-xsrf-token': '' }),
  'a wrong X-XSRF-TOKEN': ({ antiForgery }) => ({
    'x-xsrf-token': `${antiForgery.startsWith('A') ? 'B' : 'A'}${antiForgery.slice(1)}`,
  }),
  'a planted value in both places': ({ session }) => ({
    cookie: `${sessionName}=${session}; XSRF-TOKEN=planted`,
    'x-xsrf-token': 'planted',
  }),
  'another session’s value': ({ session }, other) => ({
    cookie: `${sessionName}=${session}; XSRF-TOKEN=${other.antiForgery}`,
    'x-xsrf-token': other.antiForgery,
  }),
  'the cookie only': ({ session, antiForgery }) => ({
    cookie: `${sessionName}=${session}; XSRF-TOKEN=${antiForgery}`,
    'x-xsrf-token': undefined,
  }),
  'the header only': ({ session }) => ({ cookie: `${sessionName}=${session}` }),
  'no session cookie': ({ antiForgery }) => ({ cookie: `XSRF-TOKEN=${antiForgery}` }),
  'the cookie injected twice': ({ session, antiForgery }) => ({
    cookie: `${sessionName}=${session}; XSRF-TOKEN=${antiForgery}; XSRF-TOKEN=${antiForgery}`,
  }),
  'the session cookie injected twice': ({ session, antiForgery }, other) => ({
    cookie: `${sessionName}=${session}; ${sessionName}=${other.session}; XSRF-TOKEN=${antiForgery}`,
  }),
  'Sec-Fetch-Site: cross-site': () => ({ 'sec-fetch-site': 'cross-site' }),
  'Sec-Fetch-Site: same-site (a sibling host)': () => ({ 'sec-fetch-site': 'same-site' }),
  'Sec-Fetch-Site: none': () => ({ 'sec-fetch-site': 'none' }),
  'a foreign Origin': () => ({ origin: 'https://evil.test', 'sec-fetch-site': undefined }),
  'Origin: null': () => ({ origin: 'null', 'sec-fetch-site': undefined }),
  'a sibling host as Origin': () => ({ origin: 'http://www.localhost:4400', 'sec-fetch-site': undefined }),
  'another port as Origin': () => ({ origin: 'http://localhost:4401', 'sec-fetch-site': undefined }),
};

describe.each(changing)('$name', ({ path }) => {
  // All tests share these cookies, because rejected requests change nothing, which every test verifies.
  let held: Held;
  let other: Held;
  let before: string;
  beforeAll(async () => {
    held = await openBrowser();
    other = await openBrowser();
    before = await contents();
  });

  test.each(Object.keys(forged))('with %s is rejected and changes nothing [S12]', async (variant) => {
    const answer = await post(path, { ...honest(held), ...forged[variant]?.(held, other) });
    expect({ status: answer.statusCode, body: answer.json<unknown>() }).toEqual({
      status: 403,
      body: { code: 'csrf_failed' },
    });
    expect(answer.cookies).toEqual([]);
    expect(await contents()).toBe(before);
  });

  test.each([
    undefined,
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json, text/plain',
    'application/jsonp',
    'text/json',
  ])('with content type %s returns 415 [I29]', async (type) => {
    const answer = await post(path, { ...honest(held), 'content-type': type });
    expect({ status: answer.statusCode, body: answer.json<unknown>() }).toEqual({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
  });

  test.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE'] as const)(
    'with method %s returns 404 or 405',
    async (method) => {
      const answer = await application.app.inject({
        method,
        url: path,
        headers: { host: new URL(publicUrl).host },
      });
      expect([404, 405]).toContain(answer.statusCode);
      expect(await contents()).toBe(before);
    },
  );

  test('a value that was issued before the sign-in does not match the session after it', async () => {
    const issued = await openBrowser();
    const userId = await addUser();
    const found = await application.services.sessions.find(issued.session, { extend: false });
    const after = await beginSession(application.services.sessions, userId, {}, found.session);
    const answer = await post(path, honest({ ...issued, session: after.cookieValue }));
    expect(answer.json()).toEqual({ code: 'csrf_failed' });
  });

  test('the genuine request is accepted (control)', async () => {
    // This test runs last. It proves that the session still exists, so the rejections above had other reasons.
    for (const headers of [
      honest(held),
      { ...honest(held), 'sec-fetch-site': undefined },
      { ...honest(held), origin: undefined },
      { ...honest(held), 'content-type': 'application/json; charset=UTF-8' },
    ]) {
      const answer = await post(path, headers);
      expect([403, 415]).not.toContain(answer.statusCode);
    }
  });
});

test.each(['x-http-method-override', 'x-http-method', 'x-method-override'])(
  'a GET with %s returns 405',
  async (name) => {
    const answer = await application.app.inject({
      url: '/api/ui/auth/retry',
      headers: { host: new URL(publicUrl).host, [name]: 'POST' },
    });
    expect(answer.statusCode).toBe(405);
  },
);

test('the tests cover every call that changes state [I29, S12, S15]', () => {
  expect(changing.length).toBeGreaterThanOrEqual(9);
});

async function addUser(): Promise<string> {
  const row = await database.database.selectFrom('users').select('id').executeTakeFirstOrThrow();
  return row.id;
}
