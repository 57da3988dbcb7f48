import { beforeAll, describe, expect, test } from 'vitest';
import { addBoard, addBoardUser } from '../../testing/board-people.ts';
import { listManagementRoutes, openConsole } from '../../testing/operators.ts';
import type { ConsoleBrowser } from '../../testing/operators.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type Ids = { site: string; user: string; role: string; connection: string; client: string };

/**
 * For each route: the body of a request that would be permitted with an own id, or `list` for a route without an id,
 * whose answer must contain nothing foreign.
 */
const cases: Readonly<Record<string, object | 'list' | 'person only' | 'refused'>> = {
  'GET /me': 'list',
  'GET /proof': 'person only',
  'GET /overview': 'list',
  'GET /sites': 'list',
  'GET /users': 'list',
  'GET /clients': 'refused',
  'GET /connections': 'list',
  'GET /roles': 'list',
  'GET /audit': 'list',
  'GET /audit/export': 'list',
  'GET /lockouts': 'refused',
  'POST /sites': 'refused',
  'POST /users': 'refused',
  'POST /clients': 'refused',
  'POST /connections': 'refused',
  'POST /roles': 'person only',
  'POST /sites/import': 'refused',
  'POST /users/import': 'refused',
  'POST /members/import': 'person only',
  'POST /lockouts/clear': 'refused',
  'GET /sites/:name': {},
  'PATCH /sites/:name': { logoPath: '/logo.svg' },
  'DELETE /sites/:name': 'refused',
  'GET /users/:id': {},
  'PATCH /users/:id': { firstName: 'Mallory' },
  'DELETE /users/:id': 'refused',
  'GET /users/:id/story': {},
  'GET /users/:id/export': 'refused',
  'POST /users/:id/invite': {},
  'POST /users/:id/password-link': {},
  'POST /users/:id/unlock': {},
  'POST /users/:id/end-sessions': {},
  'POST /users/:id/lost-phone': {},
  'GET /sites/:site/members': {},
  'POST /sites/:site/members': { userName: 'own@x.example' },
  'POST /sites/:site/people': { email: 'new@x.example', firstName: 'New', lastName: 'Person' },
  'GET /sites/:site/members/:userId': {},
  'PATCH /sites/:site/members/:userId': { clientEntitlement: 'Chair' },
  'DELETE /sites/:site/members/:userId': {},
  'GET /clients/:id': 'refused',
  'PATCH /clients/:id': 'refused',
  'DELETE /clients/:id': 'refused',
  'POST /clients/:id/secret': 'refused',
  'GET /connections/:name': {},
  'PATCH /connections/:name': 'refused',
  'DELETE /connections/:name': 'refused',
  'POST /connections/:name/secret': 'refused',
  'POST /connections/:name/test': {},
  'GET /roles/:id': {},
  'PATCH /roles/:id': {},
  'DELETE /roles/:id': {},
};

const foreign: Ids = { site: 'foreign', user: '', role: '', connection: 'corp', client: 'director' };
const own: Ids = { site: 'own', user: '', role: '', connection: 'none', client: 'none' };
const missing: Ids = {
  site: 'nowhere',
  user: 'no-such-user-0000000000',
  role: 'no-such-role-0000000000',
  connection: 'nothing',
  client: 'nothing',
};
let administrator: ConsoleBrowser;

beforeAll(async () => {
  const { services } = application();
  await addBoard(services, 'own');
  await addBoard(services, 'foreign');
  own.user = await addBoardUser(services, { userName: 'own@x.example', sites: ['own'], home: 'own' });
  foreign.user = await addBoardUser(services, {
    userName: 'foreign@x.example',
    sites: ['foreign'],
    home: 'foreign',
    role: 'administrator',
    of: 'foreign',
  });
  const id = await addBoardUser(services, {
    userName: 'own-admin@x.example',
    role: 'administrator',
    of: 'own',
  });
  const roles = await services.database.selectFrom('roles').select(['id', 'user_id']).execute();
  foreign.role = roles.find((role) => role.user_id === foreign.user)?.id ?? '';
  own.role = roles.find((role) => role.user_id === id)?.id ?? '';
  administrator = await openConsole(application(), id);
});

/** The route in the spelling of the table: the server lists all names of a parameter (`:name|:site`). */
function nameOf({ method, path }: { method: Method; path: string }): string {
  const found = Object.keys(cases).find((name) => {
    const shape = (text: string): string => text.replaceAll(/:[\w|:]+/g, ':x');
    return shape(name) === shape(`${method} ${path}`);
  });
  return found ?? `${method} ${path}`;
}

function fill(path: string, ids: Ids): string {
  const kind = /^\/(\w+)/.exec(path)?.[1];
  return path
    .replace(':site', ids.site)
    .replace(':userId', ids.user)
    .replace(':name', kind === 'connections' ? ids.connection : ids.site)
    .replace(':id', { users: ids.user, roles: ids.role, clients: ids.client }[kind ?? ''] ?? '');
}

async function ask(name: string, ids: Ids, body: object) {
  const [method, path] = name.split(' ') as [Method, string];
  const answer = await administrator.manage(
    method,
    fill(path, ids).slice(1),
    method === 'GET' || method === 'DELETE' ? undefined : body,
    method === 'PATCH' || method === 'DELETE' ? { 'if-match': '*' } : {},
  );
  // The answer repeats the id that was asked for.
  const masked = Object.values(ids).reduce((text, id) => text.replaceAll(id, '…'), answer.text);
  return {
    status: answer.status,
    text: masked.replace(/"correlationId":"[^"]*"/, ''),
    headers: Object.keys(answer.headers).filter((header) => header !== 'content-length'),
  };
}

test('every route of the management API has a case here', () => {
  const names = listManagementRoutes(application()).map(nameOf);
  expect([...new Set(names)].filter((name) => cases[name] === undefined)).toEqual([]);
  expect(Object.keys(cases).filter((name) => !names.includes(name))).toEqual([]);
});

describe('for an administrator, a foreign id answers as a missing one', () => {
  const withIds = Object.entries(cases).filter(([, body]) => typeof body === 'object');
  test.each(withIds)('%s', async (name, body) => {
    const asked = await ask(name, foreign, body as object);
    expect(asked).toEqual(await ask(name, missing, body as object));
    expect(asked.status).toBe(404);
  });

  const ofMember = withIds.filter(([name]) => name.includes(':userId'));
  test.each(ofMember)('%s with an own site and a foreign user', async (name, body) => {
    const asked = await ask(name, { ...foreign, site: own.site }, body as object);
    expect(asked).toEqual(await ask(name, { ...missing, site: own.site }, body as object));
    expect(asked.status).toBe(404);
  });
});

describe('for an administrator, a list contains nothing foreign', () => {
  const lists = Object.entries(cases).filter(([, body]) => body === 'list');
  test.each(lists)('%s', async (name) => {
    const { status, text } = await ask(name, own, {});
    expect(status, text).toBe(200);
    for (const word of ['foreign', 'harbor', 'northwind', 'director@demo']) expect(text).not.toContain(word);
  });
});

describe('for an administrator, an operation of others alone is refused whatever the id is', () => {
  const refused = Object.entries(cases).filter(([, body]) => body === 'refused');
  test.each(refused)('%s', async (name) => {
    for (const ids of [own, foreign, missing]) {
      const body = name === 'POST /lockouts/clear' ? { codes: true } : {};
      const { status, text } = await ask(name, ids, body);
      expect([403, 404, 422], text).toContain(status);
      if (name !== 'POST /users' && name !== 'POST /users/import') expect(status, text).toBe(403);
    }
  });
});

test('an administrator gives a role only to people of the own site, and only for it', async () => {
  const give = async (userName: string, site: string) =>
    (await administrator.manage('POST', 'roles', { role: 'administrator', userName, site })).status;
  expect(await give('foreign@x.example', 'own')).toBe(404);
  expect(await give(foreign.user, 'own')).toBe(404);
  expect(await give('nobody@x.example', 'own')).toBe(404);
  expect(await give('own@x.example', 'foreign')).toBe(404);
  expect(
    (await administrator.manage('POST', 'roles', { role: 'owner', userName: 'own@x.example' })).status,
  ).toBe(403);
  expect(await give('own@x.example', 'own')).toBe(201);
});
