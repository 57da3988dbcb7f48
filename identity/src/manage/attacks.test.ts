import { describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { sendPassword } from '../../testing/journeys.ts';
import { openConsole } from '../../testing/operators.ts';
import type { ConsoleBrowser } from '../../testing/operators.ts';
import { provedNow } from '../../testing/begin-session.ts';
import { askForTokens, beginSignIn } from '../../testing/relying-party.ts';
import { addAccount, passwordOf } from '../../testing/two-users/accounts.ts';
import type { Account } from '../../testing/two-users/accounts.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();
const database = () => application().services.database;

async function run(words: string | string[], input?: string): Promise<void> {
  const line = createCommandLine(application().services, application().clock, {}, application().keys);
  expect(await line.run(words, input)).toMatchObject({ code: 0, errors: '' });
}

/** A user of harbor who administers it, in the console. */
async function openHarbor(): Promise<ConsoleBrowser & { account: Account }> {
  const account = await addAccount(application(), { memberOf: ['harbor'] });
  await run(`roles add administrator ${account.userName} harbor`);
  return { ...(await openConsole(application(), account.userName)), account };
}

const openOwner = () => openConsole(application(), 'owner@demo.example');

const missing = { status: 404 };

/** The address to which the console sends its user to prove who it is, opened in a new browser. */
async function beginProof() {
  const browser = application().openBrowser();
  const proof = await browser.visit('/api/manage/proof?return=users');
  const { address } = await browser.follow(proof.headers['location'] ?? '');
  const returnUrl = address.searchParams.get('ReturnUrl') ?? '';
  await browser.call('/api/ui/auth-context', { returnUrl });
  return { browser, returnUrl };
}

/** Sends the password from a page that can set up an authenticator app. */
const beginWith = (browser: Browser, returnUrl: string, user: Account) =>
  browser.post(
    '/api/ui/authenticate',
    { returnUrl, site: 'harbor', ...passwordOf(user) },
    { 'x-anteroom-extensions': 'totp' },
  );

describe('the second factor of the console', () => {
  test('is not set up with the password alone if a site of the user forbids that [S25]', async () => {
    const user = await addAccount(application(), { hasPhone: false, memberOf: ['harbor', 'summit'] });
    const { browser, returnUrl } = await beginProof();
    const answer = await beginWith(browser, returnUrl, user);
    expect(answer.json()).toMatchObject({ code: 'site_requires_mfa' });
    const page = await browser.post('/api/ui/auth/authenticator-app', { returnUrl });
    expect(page.text).not.toContain('secret');
  });

  test('is set up with the password by a user of sites without a requirement', async () => {
    const user = await addAccount(application(), { hasPhone: false, memberOf: ['harbor'] });
    const { browser, returnUrl } = await beginProof();
    const answer = await beginWith(browser, returnUrl, user);
    expect(answer.json()).toMatchObject({ status: 'second_factor_required' });
  });
});

test('a company that signs an administrator in reaches its own sites alone', async () => {
  const harbor = await openHarbor();
  await run(`roles add administrator ${harbor.account.userName} northwind`);
  const { services } = application();
  const { id: connectionId } = await database()
    .selectFrom('connections')
    .select('id')
    .executeTakeFirstOrThrow();
  await database()
    .updateTable('sites')
    .set({ connection_id: connectionId })
    .where('name', '=', 'harbor')
    .execute();
  // A site below it that signs in in another way.
  await run('sites update summit --parent harbor');
  const issued = await services.sessions.signIn(undefined, {
    account: { id: harbor.account.id, securityVersion: 0 },
    methods: provedNow('fed'),
    externallyAuthenticated: true,
    connectionId,
  });
  harbor.cookies.set('anteroom_session', { value: issued?.cookieValue ?? '', path: '/' });
  const me = (await harbor.manage('GET', 'me')).json();
  expect(me['operations']).toMatchObject({ 'members:write': ['harbor'] });
  expect(me['roles']).toEqual([{ role: 'administrator', site: 'harbor' }]);
  expect(await harbor.manage('GET', 'sites/northwind/members')).toMatchObject(missing);
  await database().updateTable('sites').set({ connection_id: null }).where('name', '=', 'harbor').execute();
  await run(['sites', 'update', 'summit', '--parent', '']);
});

describe('the last owner', () => {
  test('is neither disabled nor removed over HTTP', async () => {
    const owner = await openOwner();
    const headers = { 'if-match': '*' };
    const refused = { status: 409 };
    expect(await owner.manage('PATCH', `users/${owner.userId}`, { disabled: true }, headers)).toMatchObject(
      refused,
    );
    expect(await owner.manage('DELETE', `users/${owner.userId}`, undefined, headers)).toMatchObject(refused);
  });

  test('is the last one although another owner is disabled', async () => {
    const other = await addAccount(application(), { memberOf: ['harbor'] });
    await run(`roles add owner ${other.userName}`);
    await run(`users disable ${other.userName}`);
    const owner = await openOwner();
    const { items } = (await owner.manage('GET', `roles?role=owner&user=${owner.userId}`)).json() as {
      items: { id: string }[];
    };
    const removed = await owner.manage('DELETE', `roles/${items[0]?.id}`, undefined, { 'if-match': '*' });
    expect(removed).toMatchObject({ status: 409 });
    await run(`users remove ${other.userName}`);
  });
});

describe('an administrator learns nothing about outsiders', () => {
  test('from attempts of others at the own site', async () => {
    const harbor = await openHarbor();
    const outsider = await addAccount(application(), { memberOf: ['northwind'] });
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const typed = { site: 'harbor', userName: outsider.userName, password: 'wrong' };
    await sendPassword(browser, { returnUrl }, typed);
    await application().services.audit.flush();
    const all = await harbor.manage('GET', 'audit?event=password.check');
    expect(all.status).toBe(200);
    expect(all.text).not.toContain(outsider.id);
    expect(all.text).not.toContain(outsider.userName);
    for (const name of [outsider.userName, outsider.id, 'nobody@demo.example'])
      expect((await harbor.manage('GET', `audit?user=${encodeURIComponent(name)}`)).json()).toMatchObject({
        items: [],
      });
    expect((await harbor.manage('GET', 'audit/export?format=ndjson')).text).not.toContain(outsider.id);
  });

  test('from a failure at the own site: a name without an account looks the same', async () => {
    const harbor = await openHarbor();
    const outsider = await addAccount(application(), { memberOf: ['northwind'] });
    const attempts = [
      { ...passwordOf(outsider), password: 'wrong' },
      passwordOf(outsider),
      { userName: 'nobody-at-all@demo.example', password: 'wrong' },
    ];
    application().clock.advanceSeconds(1);
    const since = application().clock.now().toISOString();
    for (const attempt of attempts) {
      const { browser, returnUrl } = await beginProof();
      await sendPassword(browser, { returnUrl }, { site: 'harbor', ...attempt });
    }
    await application().services.audit.flush();
    const { items } = (await harbor.manage('GET', `audit?event=password.check&since=${since}`)).json() as {
      items: Record<string, unknown>[];
    };
    const seen = items.map(({ number: _number, at: _at, correlationId: _id, ...rest }) => rest);
    expect(seen).toHaveLength(3);
    expect(seen).toEqual([seen[0], seen[0], seen[0]]);
    const exported = await harbor.manage('GET', `audit/export?format=ndjson&since=${since}`);
    expect(exported.text).not.toMatch(/unknown user|wrong password|nameHash/);
  });

  test('from the number of an event elsewhere', async () => {
    const harbor = await openHarbor();
    const { number } = await database()
      .insertInto('audit_events')
      .values({
        at: application().clock.now(),
        event: 'sign-in.finish',
        result: 'success',
        site: 'northwind',
        correlation_id: 'elsewhere',
      })
      .returning('number')
      .executeTakeFirstOrThrow();
    const [foreign, unknown] = [
      await harbor.manage('GET', `audit?after=${number}`),
      await harbor.manage('GET', 'audit?after=999999999'),
    ];
    expect(foreign.status).toBe(unknown.status);
  });

  test('from names that are taken: the answer is the same for a free name', async () => {
    const harbor = await openHarbor();
    const outsider = await addAccount(application(), { memberOf: ['northwind'] });
    const answers = await Promise.all(
      [outsider.userName, `${outsider.userName}.free`].map(async (userName) => {
        const body = { userName, firstName: 'A', lastName: 'B' };
        const { status, text } = await harbor.manage('POST', 'users?dry-run', body);
        return { status, text: text.replaceAll(userName, '…').replaceAll(/"correlationId":"[^"]*"/g, '') };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    const ids = await Promise.all(
      [outsider.id, 'a'.repeat(22)].map(async (id) => {
        const body = { userName: 'free@demo.example', firstName: 'A', lastName: 'B', id };
        return (await harbor.manage('POST', 'users?dry-run', body)).text.replaceAll(
          /"correlationId":"[^"]*"/g,
          '',
        );
      }),
    );
    expect(ids[0]).toBe(ids[1]);
    const roles = await Promise.all(
      [outsider.userName, 'nobody@demo.example'].map(async (userName) =>
        (
          await harbor.manage('POST', 'roles?dry-run', { role: 'administrator', userName, site: 'harbor' })
        ).text
          .replaceAll(userName, '…')
          .replaceAll(/"correlationId":"[^"]*"/g, ''),
      ),
    );
    expect(roles[0]).toBe(roles[1]);
  });
});

describe('the story of a user tells an administrator nothing about other sites', () => {
  const correlation = 'd2c7a0b2-1111-4222-8333-444455556666';

  /** Attempts in one browser: of an own, managed user at several sites, and of an outsider. */
  async function arrange() {
    const harbor = await openHarbor();
    const managed = await addAccount(application(), { memberOf: ['harbor'] });
    await run(`users update ${managed.userName} --home-site harbor`);
    const outsider = await addAccount(application(), { memberOf: ['northwind'] });
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const attempt = (user: Account, site: string) =>
      browser.post(
        '/api/ui/authenticate',
        { returnUrl, site, ...passwordOf(user), password: 'wrong' },
        { 'x-correlation-id': correlation },
      );
    for (const site of ['harbor', 'northwind', 'nowhere']) await attempt(managed, site);
    await attempt(outsider, 'harbor');
    await attempt(outsider, 'northwind');
    await application().services.audit.flush();
    return { harbor, managed };
  }

  test('by its verdict: a foreign site answers as a missing one, also after an attempt there', async () => {
    const { harbor, managed } = await arrange();
    const answers = await Promise.all(
      ['northwind', 'nowhere'].map(async (site) => {
        const { status, text } = await harbor.manage('GET', `users/${managed.id}/story?site=${site}`);
        return [status, text.replaceAll(site, '…').replace(/"correlationId":"[^"]*"/, '')];
      }),
    );
    expect(answers[0]?.[0]).toBe(404);
    expect(answers[0]).toEqual(answers[1]);
    const story = await harbor.manage('GET', `users/${managed.id}/story`);
    expect(story.json()).toMatchObject({ verdict: { site: 'harbor' } });
    expect(story.text).not.toMatch(/northwind/i);
    const { attempts } = story.json() as { attempts: { site: string | null }[] };
    expect(attempts.map(({ site }) => site)).toEqual([null, null, 'harbor']);
  });

  test('by the correlation id of an attempt, which has no addresses either', async () => {
    const { harbor, managed } = await arrange();
    const story = await harbor.manage('GET', `users/${managed.id}/story?correlation=${correlation}`);
    const { attempt } = story.json() as { attempt: { site: string | null; address: string | null }[] };
    expect(attempt).toMatchObject([{ event: 'password.check', site: 'harbor', address: null }]);
  });
});

test('the place of a foreign site in the tree does not tell that it exists', async () => {
  const harbor = await openHarbor();
  const after = (name: string) => Buffer.from(JSON.stringify({ name })).toString('base64url');
  // "corp" comes before "harbor" in the tree.
  const answers = await Promise.all(
    ['corp', 'corpse'].map(async (name) =>
      (await harbor.manage('GET', `sites?tree=true&after=${after(name)}`)).json(),
    ),
  );
  expect(answers).toEqual([
    { items: [], next: null },
    { items: [], next: null },
  ]);
});

test('a test of a connection counts only the sites of an administrator', async () => {
  const harbor = await openHarbor();
  const { id, name } = await database()
    .selectFrom('connections')
    .select(['id', 'name'])
    .executeTakeFirstOrThrow();
  const connect = (connectionId: string | null) =>
    database()
      .updateTable('sites')
      .set({ connection_id: connectionId })
      .where('name', '=', 'harbor')
      .execute();
  await connect(id);
  const { findings } = (await harbor.manage('POST', `connections/${name}/test`)).json() as {
    findings: { check: string; detail: string }[];
  };
  expect(findings.find(({ check }) => check === 'domains and sites')?.detail).toMatch(/; 1 sites$/);
  await connect(null);
});

test('a filter tells an administrator nothing about other sites', async () => {
  const harbor = await openHarbor();
  const shared = await addAccount(application(), { memberOf: ['harbor', 'northwind'] });
  for (const site of ['northwind', 'nowhere'])
    expect((await harbor.manage('GET', `users?site=${site}`)).json()).toEqual({ items: [], next: null });
  expect((await harbor.manage('GET', `users?site=harbor&search=${shared.id}`)).text).toContain(shared.id);
  await run('sites update harbor --parent northwind');
  expect((await harbor.manage('GET', 'sites/harbor')).json()).toMatchObject({ parent: null });
  expect((await harbor.manage('GET', 'sites?parent=northwind')).json()).toMatchObject({ items: [] });
  await run(['sites', 'update', 'harbor', '--parent', '']);
});

test.each(['me', 'users', 'audit/export', 'sites/harbor', 'nothing'])(
  'the answer of %s is kept by no cache',
  async (path) => {
    const { headers } = await (await openOwner()).manage('GET', path);
    expect(headers['cache-control']).toContain('no-store');
    expect(headers['x-content-type-options']).toBe('nosniff');
  },
);

describe('a shared director', () => {
  test.each([
    ['PATCH', '', { email: 'attacker@demo.example' }],
    ['PATCH', '', { phoneNumber: '+442079460999' }],
    ['PATCH', '', { firstName: 'Eve' }],
    ['PATCH', '', { disabled: true }],
    ['PATCH', '', { homeSite: 'northwind' }],
    ['PATCH', '', { signsInElsewhere: true }],
    ['PATCH', '', { mustChangePassword: true }],
    ['DELETE', '', undefined],
    ['POST', '/unlock', {}],
    ['POST', '/end-sessions', {}],
    ['POST', '/lost-phone', { phoneNumber: '+442079460999' }],
    ['POST', '/lost-phone?dry-run', {}],
    ['GET', '/export', undefined],
  ] as const)(
    'is not changed by the administrator of one board: %s users/…%s %j',
    async (method, path, body) => {
      const harbor = await openHarbor();
      const shared = await addAccount(application(), { memberOf: ['harbor', 'northwind'] });
      // Not even if the account once belonged to this board alone.
      await run(`users update ${shared.userName} --home-site harbor`);
      const before = await stateOf(shared.id);
      const answer = await harbor.manage(method, `users/${shared.id}${path}`, body, { 'if-match': '*' });
      expect(answer.status).toBe(403);
      expect(answer.text).not.toContain(shared.phoneNumber);
      expect(await stateOf(shared.id)).toEqual(before);
    },
  );

  test('shows an administrator of one board nothing of the other', async () => {
    const harbor = await openHarbor();
    const shared = await addAccount(application(), { memberOf: ['harbor', 'northwind'] });
    for (const path of ['', '/story']) {
      const answer = await harbor.manage('GET', `users/${shared.id}${path}`);
      expect(answer.status).toBe(200);
      expect(answer.text).not.toMatch(/northwind/i);
      expect(answer.text).not.toContain(shared.phoneNumber);
    }
    expect((await harbor.manage('GET', `users?search=${shared.id}`)).text).not.toContain(shared.phoneNumber);
    expect(await harbor.manage('GET', `users/${shared.id}/story?site=northwind`)).toMatchObject(missing);
  });

  test('does not change the entity tag of the reduced view by what it hides', async () => {
    const harbor = await openHarbor();
    const shared = await addAccount(application(), { memberOf: ['harbor', 'northwind'] });
    const tag = async () => (await harbor.manage('GET', `users/${shared.id}`)).headers['etag'];
    const before = await tag();
    await run(['users', 'update', shared.userName, '--phone-number', '+442079460777']);
    expect(await tag()).toBe(before);
  });
});

async function stateOf(userId: string): Promise<unknown> {
  return await database().selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
}

test.each([
  { boardsUserName: 'director@demo.example' },
  { homeSite: 'northwind' },
  { signsInElsewhere: true },
])('an administrator cannot change who a managed account is elsewhere: %j', async (change) => {
  const harbor = await openHarbor();
  const managed = await addAccount(application(), { memberOf: ['harbor'] });
  await run(`users update ${managed.userName} --home-site harbor`);
  const before = await stateOf(managed.id);
  const headers = { 'if-match': '*' };
  expect(await harbor.manage('PATCH', `users/${managed.id}`, change, headers)).toMatchObject({ status: 403 });
  const row = { userName: managed.userName, firstName: 'A', lastName: 'B', ...change };
  expect(await harbor.manage('POST', 'users/import?update', JSON.stringify([row]))).toMatchObject({
    status: 403,
  });
  expect(await stateOf(managed.id)).toEqual(before);
});

test('an import of an administrator counts each address that it names', async () => {
  const harbor = await openHarbor();
  const managed = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const account = await addAccount(application(), { memberOf: ['harbor'] });
      await run(`users update ${account.userName} --home-site harbor`);
      return account;
    }),
  );
  const taken = (await addAccount(application(), { memberOf: ['northwind'] })).userName;
  const importRows = (count: number) =>
    harbor.manage(
      'POST',
      'users/import?update&dry-run',
      JSON.stringify(
        managed.slice(0, count).map(({ userName }, index) => ({
          userName,
          firstName: 'A',
          lastName: 'B',
          email: index === 0 ? taken : `${userName}.free`,
        })),
      ),
    );
  let asked = 0;
  let status = 0;
  for (; status !== 429 && asked <= 120; asked += 3) ({ status } = await importRows(3));
  expect(status).toBe(429);
  expect(asked).toBeLessThanOrEqual(105);
});

test('an account that an administrator prepared is empty after its e-mail changes', async () => {
  const harbor = await openHarbor();
  const prepared = await addAccount(application(), { memberOf: ['harbor'] });
  await run(`users update ${prepared.userName} --home-site harbor`);
  const thief = await openConsole(application(), prepared.userName);
  const device = await application().services.database.selectFrom('users').select('id').execute();
  expect(device).not.toEqual([]);
  const changed = await harbor.manage(
    'PATCH',
    `users/${prepared.id}`,
    { email: `director-${prepared.id}@victim.example` },
    { 'if-match': '*' },
  );
  expect(changed.status, changed.text).toBe(200);
  expect(await thief.call('/api/ui/sites')).toMatchObject({ status: 401 });
  const { browser, returnUrl } = await beginProof();
  for (const userName of [prepared.userName, `director-${prepared.id}@victim.example`]) {
    const answer = await sendPassword(
      browser,
      { returnUrl },
      { site: 'harbor', ...passwordOf(prepared), userName },
    );
    expect(answer.json()).toMatchObject({ code: 'invalid_credentials' });
  }
  expect(await stateOf(prepared.id)).toMatchObject({ phone_number: null });
});

describe('a token of a system', () => {
  test('loses a scope with the registration', async () => {
    const owner = await openOwner();
    const body = {
      id: 'nightly',
      displayName: 'Nightly import',
      clientCredentials: true,
      authentication: 'client_secret_post',
      scopes: ['users:read', 'sites:read'],
    };
    const added = await owner.manage('POST', 'clients', body);
    expect(added.status, added.text).toBe(201);
    const secret = Object.values((added.json()['secrets'] ?? {}) as Record<string, string>)[0] ?? '';
    const { config } = application().services;
    const tokens = await askForTokens(
      application().app,
      config.publicUrl,
      { ...portal, clientId: 'nightly' },
      {
        grant_type: 'client_credentials',
        client_secret: secret,
        resource: `${config.publicUrl}/api/manage`,
        scope: 'users:read sites:read',
      },
    );
    expect(tokens.status, tokens.text).toBe(200);
    const authorization = `Bearer ${String(tokens.json()['access_token'])}`;
    const get = (path: string) => application().openBrowser().visit(`/api/manage/${path}`, { authorization });
    expect(await get('users')).toMatchObject({ status: 200 });
    expect(await get('clients')).toMatchObject({ status: 403 });
    await owner.manage('PATCH', 'clients/nightly', { scopes: ['sites:read'] }, { 'if-match': '*' });
    expect(await get('users')).toMatchObject({ status: 403 });
    expect(await get('sites')).toMatchObject({ status: 200 });
    await owner.manage('DELETE', 'clients/nightly', undefined, { 'if-match': '*' });
    expect(await get('sites')).toMatchObject({ status: 401 });
  });

  test.each(['anteroom-console', 'anteroom-account'])('cannot be of the built-in client %s', async (id) => {
    const owner = await openOwner();
    const body = { id, displayName: id, clientCredentials: true, authentication: 'client_secret_post' };
    expect((await owner.manage('POST', 'clients', body)).status).toBe(422);
  });
});

test('links to one user are limited', async () => {
  const harbor = await openHarbor();
  const shared = await addAccount(application(), { memberOf: ['harbor', 'northwind'] });
  const statuses = [];
  for (let count = 0; count < 12; count += 1)
    statuses.push(
      (await harbor.manage('POST', `users/${shared.id}/${count % 2 ? 'invite' : 'password-link'}`)).status,
    );
  expect(statuses.slice(0, 3)).toEqual([200, 200, 200]);
  expect(statuses.at(-1)).toBe(429);
});

test('roles that an administrator gives and takes again and again are limited, because each is mailed', async () => {
  const harbor = await openHarbor();
  const colleague = await addAccount(application(), { memberOf: ['harbor'] });
  const give = () =>
    harbor.manage('POST', 'roles?dry-run', {
      role: 'administrator',
      userName: colleague.userName,
      site: 'harbor',
    });
  expect((await give()).status).toBe(200);
  const statuses = [];
  for (let count = 0; count < 101; count += 1) statuses.push((await give()).status);
  expect(statuses.at(-1)).toBe(429);
});

test('mails to a person who is added and removed again and again are limited', async () => {
  const harbor = await openHarbor();
  const outsider = await addAccount(application(), { memberOf: ['northwind'] });
  await run(`users update ${outsider.userName} --email ${outsider.id}@corp.example`);
  const person = { email: `${outsider.id}@corp.example`, firstName: 'A', lastName: 'B' };
  const statuses = [];
  for (let count = 0; count < 6; count += 1) {
    statuses.push((await harbor.manage('POST', 'sites/harbor/people', person)).status);
    await harbor.manage('DELETE', `sites/harbor/members/${outsider.id}`, undefined, { 'if-match': '*' });
  }
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
});

test.each([
  ['nothing', ''],
  ['no base64', '%'],
  ['no keys', 'e30'],
  ['a list', 'W10'],
  ['null', 'bnVsbA'],
  ['a number', btoa('{"userName":1}')],
  ['keys that are null', btoa('{"name":null,"userName":null,"role":null,"site":null}')],
  ['a NUL', btoa(String.raw`{"userName":"\u0000"}`)],
  ['an unpaired surrogate', btoa(String.raw`{"userName":"\ud800"}`)],
  ['a prototype', btoa('{"__proto__":{"userName":"x"}}')],
  ['SQL', btoa(`{"userName":"' or 1=1 --"}`)],
  ['much text', 'A'.repeat(3000)],
])(
  'a cursor of %s shows no entry outside the scope, and is no fault of the service [S61]',
  async (_name, cursor) => {
    const harbor = await openHarbor();
    for (const list of ['users', 'sites', 'roles', 'connections', 'sites/harbor/members']) {
      const answer = await harbor.manage('GET', `${list}?after=${encodeURIComponent(cursor)}`);
      expect([200, 422], `${list} ${answer.text}`).toContain(answer.status);
      expect(answer.text).not.toMatch(/northwind|owner@demo/);
    }
  },
);

test('an exported cell begins no formula, and no header is made of it', async () => {
  const owner = await openOwner();
  await run(['users', 'add', '=cmd|1', '--first-name', '+1', '--last-name', '-1']);
  await run('members add =cmd|1 harbor');
  const answer = await owner.manage('GET', 'audit/export?format=csv');
  expect(answer.headers['content-disposition']).toBe('attachment; filename="audit.csv"');
  expect(answer.text).toContain('=cmd|1');
  const cells = answer.text.split('\r\n').flatMap((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/));
  expect(cells.filter((cell) => /^"?[=+@\t]/.test(cell))).toEqual([]);
  for (const path of [
    'users/x%0d%0aX-Evil:1/export',
    'audit/export?format=csv%0d%0aX-Evil:1',
    'audit?after=1%0d%0aX:1',
  ])
    expect((await owner.manage('GET', path)).headers).not.toHaveProperty('x-evil');
});

test('the log has no name, address, number or secret of a request [S64]', async () => {
  const owner = await openOwner();
  const marks = ['marked-7131@demo.example', '+442079460131', 'Markedname', 'marked-search'];
  const [email = '', phoneNumber = '', firstName = '', search = ''] = marks;
  const body = { userName: email, email, firstName, lastName: 'Test', phoneNumber };
  const added = await owner.manage('POST', 'users', body);
  expect(added.status, added.text).toBe(201);
  const userId = (
    await database().selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  ).id;
  await owner.manage('GET', `users?search=${search}`);
  await owner.manage('GET', `users?search=${email}&nothing=${search}`);
  await owner.manage(
    'PATCH',
    `users/${userId}`,
    { phoneNumber: 'no number', firstName },
    { 'if-match': '*' },
  );
  await owner.manage('PATCH', `users/${userId}`, { firstName: `${firstName}2` }, { 'if-match': '"old"' });
  await owner.manage('POST', `users/${userId}/invite`);
  const client = {
    id: 'marked',
    displayName: 'Marked',
    clientCredentials: true,
    authentication: 'client_secret_post',
  };
  const { secrets } = (await owner.manage('POST', 'clients', client)).json();
  await owner.manage('GET', 'users', undefined, { authorization: 'Bearer marked-token' });
  const mail = await database()
    .selectFrom('outbox')
    .select('text')
    .where('recipient', '=', email)
    .executeTakeFirstOrThrow();
  const token = /#(\S+)/.exec(mail.text)?.[1] ?? '';
  const log = JSON.stringify(application().log);
  expect(token).not.toBe('');
  for (const mark of [...marks, 'marked-token', token, ...Object.values(secrets as Record<string, string>)])
    expect(log, mark).not.toContain(mark);
});

test('of 20 changes with one entity tag, one is written and the others get the present entry', async () => {
  const owner = await openOwner();
  const { headers } = await owner.manage('GET', 'sites/summit');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      owner.manage(
        'PATCH',
        'sites/summit',
        { displayName: `Summit ${index}` },
        { 'if-match': headers['etag'] ?? '' },
      ),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status === 412);
  expect(refused).toHaveLength(19);
  expect(refused[0]?.json()).toMatchObject({ present: { name: 'summit' } });
});

test.each(['', '"x"', 'W/"x"', '*, "x"', '"*"', '"x", "y"'])('If-Match %j changes nothing', async (tag) => {
  const owner = await openOwner();
  const answer = await owner.manage('PATCH', 'sites/summit', { displayName: 'Other' }, { 'if-match': tag });
  expect([412, 428]).toContain(answer.status);
});

test('an invalid token is refused although the browser is signed in', async () => {
  const owner = await openOwner();
  for (const authorization of ['Bearer x', 'Basic eDp5', 'bearer', 'Bearer '])
    expect(await owner.manage('GET', 'users', undefined, { authorization })).toMatchObject({ status: 401 });
});

test('the lock-outs of recent days are named over HTTP, and those of all accounts on the command line alone', async () => {
  const owner = await openOwner();
  const user = await addAccount(application(), { memberOf: ['harbor'] });
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const { browser, returnUrl } = await beginProof();
    await sendPassword(browser, { returnUrl }, { site: 'harbor', ...passwordOf(user), password: 'wrong' });
  }
  const named = async (path: string): Promise<boolean> =>
    (await owner.manage('GET', path)).text.includes(user.userName);
  expect([await named('lockouts'), await named('overview')]).toEqual([true, true]);
  // A lock that only a new password ends has no time at which it ends.
  await database()
    .updateTable('limits')
    .set({ blocked_until: null, used: 1_000 })
    .where('blocked_until', 'is not', null)
    .execute();
  expect([await named('lockouts'), await named('overview')]).toEqual([true, true]);
  // Otherwise each request would hash the names of all users.
  await database().deleteFrom('audit_events').where('user_id', '=', user.id).execute();
  expect([await named('lockouts'), await named('overview')]).toEqual([false, false]);
  const line = createCommandLine(application().services, application().clock, {}, application().keys);
  expect((await line.run('lockouts list')).output).toContain(user.userName);
});
