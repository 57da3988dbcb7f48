import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addBoardUser } from '../../testing/board-people.ts';
import { listManagementRoutes, openConsole } from '../../testing/operators.ts';
import type { ConsoleBrowser } from '../../testing/operators.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();
let owner: ConsoleBrowser;
let userId: string;
let roleId: string;

type Change = { method: 'POST' | 'PATCH' | 'DELETE'; path: string; isFresh: boolean };

/** A request of each route that changes something; `:id` is a user, `:role` a role. */
const changes: readonly Change[] = [
  { method: 'POST', path: 'sites', isFresh: true },
  { method: 'PATCH', path: 'sites/harbor', isFresh: true },
  { method: 'DELETE', path: 'sites/harbor', isFresh: true },
  { method: 'POST', path: 'sites/import', isFresh: true },
  { method: 'POST', path: 'members/import', isFresh: false },
  { method: 'POST', path: 'users', isFresh: true },
  { method: 'PATCH', path: 'users/:id', isFresh: true },
  { method: 'DELETE', path: 'users/:id', isFresh: true },
  { method: 'POST', path: 'users/import', isFresh: true },
  { method: 'POST', path: 'users/:id/invite', isFresh: false },
  { method: 'POST', path: 'users/:id/password-link', isFresh: false },
  { method: 'POST', path: 'users/:id/unlock', isFresh: true },
  { method: 'POST', path: 'users/:id/end-sessions', isFresh: true },
  { method: 'POST', path: 'users/:id/lost-phone', isFresh: true },
  { method: 'POST', path: 'sites/harbor/members', isFresh: false },
  { method: 'PATCH', path: 'sites/harbor/members/:id', isFresh: false },
  { method: 'DELETE', path: 'sites/harbor/members/:id', isFresh: false },
  { method: 'POST', path: 'sites/harbor/people', isFresh: false },
  { method: 'POST', path: 'clients', isFresh: true },
  { method: 'PATCH', path: 'clients/director', isFresh: true },
  { method: 'DELETE', path: 'clients/director', isFresh: true },
  { method: 'POST', path: 'clients/director/secret', isFresh: true },
  { method: 'POST', path: 'connections', isFresh: true },
  { method: 'PATCH', path: 'connections/corp', isFresh: true },
  { method: 'DELETE', path: 'connections/corp', isFresh: true },
  { method: 'POST', path: 'connections/corp/secret', isFresh: true },
  { method: 'POST', path: 'connections/corp/test', isFresh: false },
  { method: 'POST', path: 'roles', isFresh: true },
  { method: 'PATCH', path: 'roles/:role', isFresh: true },
  { method: 'DELETE', path: 'roles/:role', isFresh: true },
  { method: 'POST', path: 'lockouts/clear', isFresh: true },
];

beforeAll(async () => {
  const { services } = application();
  userId = await addBoardUser(services, {
    userName: 'anna@x.example',
    sites: ['harbor'],
    role: 'administrator',
    of: 'harbor',
  });
  const role = services.database.selectFrom('roles').select('id').where('user_id', '=', userId);
  roleId = (await role.executeTakeFirstOrThrow()).id;
});
beforeEach(async () => {
  // So many requests are more than one person may make in ten minutes.
  await application().services.database.deleteFrom('limits').execute();
  owner = await openConsole(application(), 'owner@demo.example');
});

const send = (browser: ConsoleBrowser, { method, path }: Change, headers: Record<string, string> = {}) =>
  browser.manage(
    method,
    path.replace(':id', userId).replace(':role', roleId),
    method === 'DELETE' ? undefined : path.endsWith('import') ? '[]' : {},
    { 'if-match': '*', ...headers },
  );

/** Everything that a change could have touched. */
async function countRows(): Promise<unknown> {
  const { database } = application().services;
  const tables = ['sites', 'users', 'memberships', 'roles', 'clients', 'connections', 'invitations'] as const;
  const counts = await Promise.all(
    tables.map((table) =>
      database
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .executeTakeFirst(),
    ),
  );
  return counts.map((row) => row?.count);
}

describe.each(changes)('$method $path', (change) => {
  test.each([
    ['without the anti-forgery header', { 'x-xsrf-token': '' }],
    ['with a wrong anti-forgery value', { 'x-xsrf-token': 'wrong.value' }],
    ['from a foreign origin', { origin: 'https://evil.test' }],
    ['from no origin', { origin: 'null' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a sibling host', { 'sec-fetch-site': 'same-site' }],
  ])('%s is refused [S12]', async (_name, headers) => {
    const before = await countRows();
    const answer = await send(owner, change, headers);
    expect(answer.status, answer.text).toBe(403);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(await countRows()).toEqual(before);
  });

  test('needs a fresh proof exactly if its operation is fresh, and a second factor [S25]', async () => {
    const stale = await openConsole(application(), 'owner@demo.example', { provedAgoSeconds: 601 });
    const answer = await send(stale, change);
    if (change.isFresh)
      expect(answer.json(), answer.text).toMatchObject({ status: 401, type: '/problems/proof-required' });
    else expect(answer.status, answer.text).not.toBe(401);
    const weak = await openConsole(application(), 'owner@demo.example', { methods: ['pwd'] });
    await weak.call('/api/ui/account');
    expect((await send(weak, change)).json()['type']).toMatch(/sign-in-required|forbidden/);
  });
});

test('every route that changes something is above', () => {
  const missing = listManagementRoutes(application()).filter(({ method, path }) => {
    const shape = new RegExp(`^${path.slice(1).replaceAll(/:[\w|:]+/g, '[^/]+')}$`);
    return method !== 'GET' && !changes.some((change) => change.method === method && shape.test(change.path));
  });
  expect(missing).toEqual([]);
});

test('the export of a user, which is a GET, needs a fresh proof too', async () => {
  const stale = await openConsole(application(), 'owner@demo.example', { provedAgoSeconds: 601 });
  expect((await stale.manage('GET', `users/${userId}/export`)).json()).toMatchObject({ status: 401 });
});

/** What a browser or a system must never send. */
const hostileBodies = {
  'no object': '[1]',
  'no JSON': '{',
  'an unknown member': '{"isAdmin":true}',
  'a prototype': '{"__proto__":{"role":"owner"},"constructor":{"prototype":{"role":"owner"}}}',
  'a NUL': String.raw`{"userName":"a\u0000","name":"a\u0000","email":"a\u0000","secret":"a\u0000"}`,
  'an unpaired surrogate': String.raw`{"userName":"\ud800","name":"\ud800","email":"\ud800","secret":"\ud800"}`,
  'deep nesting': `{"userName":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
  'other types': '{"userName":{"$ne":1},"name":[],"email":7,"secret":{},"days":"x","session":[]}',
};

describe.each(changes.filter(({ method, path }) => method !== 'DELETE' && !path.endsWith('import')))(
  'to $method $path',
  ({ method, path }) => {
    test.each(Object.entries(hostileBodies))(
      '%s is refused with a problem [S59, S60]',
      async (_what, body) => {
        const before = await countRows();
        const address = path.replace(':id', userId).replace(':role', roleId);
        const answer = await owner.manage(method, address, body, { 'if-match': '*' });
        expect([413, 422], answer.text.slice(0, 300)).toContain(answer.status);
        expect(answer.headers['content-type']).toContain('application/problem+json');
        expect(({} as Record<string, unknown>)['role']).toBeUndefined();
        expect(await countRows()).toEqual(before);
      },
    );
  },
);

const hostileQueries = [
  'x=1',
  'search=%00',
  "search='%3B--",
  'after=%00',
  'after=%27',
  'limit=1e9',
  'a[__proto__]=1',
];

test('no query makes a reading route fail [S61]', async () => {
  const reading = listManagementRoutes(application()).filter(({ method }) => method === 'GET');
  expect(reading.length).toBeGreaterThan(10);
  for (const { path } of reading)
    for (const query of hostileQueries) {
      const address = path.slice(1).replaceAll(/:[\w|:]+/g, "x'%22");
      const { status, text } = await owner.manage('GET', `${address}?${query}`);
      expect([200, 302, 404, 422], `${address}?${query} ${text}`).toContain(status);
    }
});

test('a role that was taken away, and a session that was ended, end with the next request [S23]', async () => {
  const { services } = application();
  const id = await addBoardUser(services, { userName: 'temp@x.example', role: 'owner' });
  const temporary = await openConsole(application(), id);
  expect((await temporary.manage('GET', 'sites')).status).toBe(200);
  await services.database.deleteFrom('roles').where('user_id', '=', id).execute();
  expect((await temporary.manage('GET', 'sites')).json()).toMatchObject({ status: 403 });
  await owner.manage('POST', `users/${id}/end-sessions`);
  expect((await temporary.manage('GET', 'sites')).json()).toMatchObject({ status: 401 });
});

test('a content type that a form can send is refused by every route [S13]', async () => {
  for (const change of changes.filter(({ method }) => method !== 'DELETE'))
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect((await send(owner, change, { 'content-type': type })).status, change.path).toBe(415);
});

test('no other method changes anything, whatever a header says [S15]', async () => {
  const before = await countRows();
  for (const { path } of changes.filter(({ method }) => method === 'POST')) {
    const headers = { 'x-http-method-override': 'POST' };
    const answer = await owner.manage('GET', path.replace(':id', userId), undefined, headers);
    expect([200, 404, 405], `${path} ${answer.text}`).toContain(answer.status);
  }
  expect(await countRows()).toEqual(before);
  expect((await owner.manage('GET', 'lockouts/clear')).json()).toMatchObject({
    status: 405,
    type: '/problems/method-not-allowed',
  });
});

test('a person makes at most 600 requests in ten minutes', async () => {
  expect((await owner.manage('GET', 'me')).status).toBe(200);
  await application().services.database.updateTable('limits').set({ used: 600 }).execute();
  const answer = await owner.manage('GET', 'me');
  expect(answer.json()).toMatchObject({ status: 429, type: '/problems/too-many-requests' });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
});

test.each([
  'users?limit=0',
  'users?limit=9999',
  'users?nothing=1',
  'users?after=zzz',
  'users?search=a&search=b',
  'users?disabled=perhaps',
  'users?search=%00',
  'users?limit=%ED%A0%80',
  'audit?after=x',
  'audit?since=yesterday',
  'audit?event=nothing',
  'users/%00',
  "users/'%20or%201=1",
])('GET %s is a problem with a reason [S61]', async (path) => {
  const answer = await owner.manage('GET', path);
  expect([404, 422], answer.text).toContain(answer.status);
});
