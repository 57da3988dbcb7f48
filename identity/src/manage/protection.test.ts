import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addBoardUser } from '../../testing/board-people.ts';
import { openConsole } from '../../testing/operators.ts';
import type { ConsoleBrowser } from '../../testing/operators.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();
let owner: ConsoleBrowser;
let userId: string;

type Change = { method: 'POST' | 'PATCH' | 'DELETE'; path: string; isFresh: boolean };

/** A request of each kind that changes something; `:id` is a user. */
const changes: readonly Change[] = [
  { method: 'POST', path: 'sites', isFresh: true },
  { method: 'PATCH', path: 'sites/harbor', isFresh: true },
  { method: 'DELETE', path: 'sites/harbor', isFresh: true },
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
  { method: 'POST', path: 'lockouts/clear', isFresh: true },
];

beforeAll(async () => {
  userId = await addBoardUser(application().services, { userName: 'anna@x.example', sites: ['harbor'] });
});
beforeEach(async () => {
  owner = await openConsole(application(), 'owner@demo.example');
});

const send = (browser: ConsoleBrowser, { method, path }: Change, headers: Record<string, string> = {}) =>
  browser.manage(
    method,
    path.replace(':id', userId),
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

test('a content type that a form can send is refused [S13]', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
    expect((await owner.manage('POST', 'roles', {}, { 'content-type': type })).status).toBe(415);
});

test.each([
  ['a body that is no object', '[1]'],
  ['a body that is no JSON', '{'],
  ['an unknown member', { isAdmin: true }],
  ['a prototype', '{"__proto__":{"role":"owner"}}'],
  ['a value of another type', { role: { $ne: 1 }, userName: 'a' }],
  ['a NUL', { role: 'owner', userName: 'a\0' }],
  ['an unpaired surrogate', String.raw`{"role":"owner","userName":"\ud800"}`],
])('%s is a problem, not a failure [S59, S60]', async (_name, body) => {
  const answer = await owner.manage('POST', 'roles', body);
  expect(answer.status, answer.text).toBe(422);
  expect(({} as Record<string, unknown>)['role']).toBeUndefined();
});

test.each([
  'users?limit=0',
  'users?limit=9999',
  'users?nothing=1',
  'users?after=zzz',
  'users?search=a&search=b',
  'users?disabled=perhaps',
  'users?search=%00',
  'audit?after=x',
  'audit?since=yesterday',
  'audit?event=nothing',
  'users/%00',
  "users/'%20or%201=1",
])('GET %s is a problem with a reason [S61]', async (path) => {
  const answer = await owner.manage('GET', path);
  expect([404, 422], answer.text).toContain(answer.status);
});
