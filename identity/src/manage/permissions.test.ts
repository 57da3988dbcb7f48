import { beforeAll, describe, expect, test } from 'vitest';
import { addBoard, addBoardUser } from '../../testing/board-people.ts';
import { addSystem, listManagementRoutes, openConsole } from '../../testing/operators.ts';
import type { ConsoleBrowser } from '../../testing/operators.ts';
import { useApplication } from '../../testing/use-application.ts';
import { operations, permissions, roleNames } from '../admin/permissions.ts';
import type { Operation, RoleName } from '../admin/permissions.ts';

const application = useApplication();

type Target = { site: string; userId: string };
type Ask = { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string; body?: unknown };

/** A request that needs exactly this operation, for a user of a site, or for the site. Every operation has one. */
const requests: Readonly<Record<Operation, (target: Target) => Ask>> = {
  'sites:read': ({ site }) => ({ method: 'GET', path: `sites/${site}` }),
  'members:read': ({ site }) => ({ method: 'GET', path: `sites/${site}/members` }),
  'connections:read': () => ({ method: 'GET', path: 'connections/corp' }),
  'sites:look': ({ site }) => ({ method: 'PATCH', path: `sites/${site}`, body: { logoPath: '/logo.svg' } }),
  'sites:write': ({ site }) => ({
    method: 'PATCH',
    path: `sites/${site}?dry-run`,
    body: { displayName: 'Other' },
  }),
  'members:write': ({ site, userId }) => ({
    method: 'PATCH',
    path: `sites/${site}/members/${userId}?dry-run`,
    body: { clientEntitlement: 'Chair' },
  }),
  'users:read': ({ userId }) => ({ method: 'GET', path: `users/${userId}/story` }),
  'users:help': ({ userId }) => ({ method: 'POST', path: `users/${userId}/password-link` }),
  'users:factors': ({ userId }) => ({ method: 'POST', path: `users/${userId}/unlock` }),
  'users:write': ({ userId }) => ({
    method: 'PATCH',
    path: `users/${userId}?dry-run`,
    body: { firstName: 'Other' },
  }),
  'users:remove': ({ userId }) => ({ method: 'GET', path: `users/${userId}/export` }),
  'connections:write': () => ({
    method: 'PATCH',
    path: 'connections/corp?dry-run',
    body: { displayName: 'Other' },
  }),
  'clients:read': () => ({ method: 'GET', path: 'clients/director' }),
  'clients:write': () => ({
    method: 'PATCH',
    path: 'clients/director?dry-run',
    body: { displayName: 'Other' },
  }),
  'roles:write': ({ site, userId }) => ({
    method: 'POST',
    path: 'roles?dry-run',
    body: { role: 'administrator', userName: userId, site },
  }),
  'audit:read': ({ site }) => ({ method: 'GET', path: `audit?site=${site}` }),
};

/** What an administrator is asked about that lies within, or outside the own site. */
const inside = { site: 'corp', userId: '' };
const outside = { site: 'foreign', userId: '' };
const browsers = new Map<RoleName, ConsoleBrowser>();

beforeAll(async () => {
  const { services } = application();
  await addBoard(services, 'foreign');
  inside.userId = await addBoardUser(services, { userName: 'own@x.example', sites: ['corp'], home: 'corp' });
  outside.userId = await addBoardUser(services, {
    userName: 'other@x.example',
    sites: ['foreign'],
    home: 'foreign',
  });
  for (const role of roleNames) {
    const of = role === 'administrator' ? { of: 'corp' } : {};
    const id = await addBoardUser(services, { userName: `${role}@x.example`, role, ...of });
    browsers.set(role, await openConsole(application(), id));
  }
});

async function ask(role: RoleName, { method, path, body }: Ask) {
  const browser = browsers.get(role);
  if (browser === undefined) throw new Error(`there is no ${role}`);
  return await browser.manage(method, path, body, method === 'PATCH' ? { 'if-match': '*' } : {});
}

/** Connections and applications belong to no site of the test, so they have no foreign one. */
const hasOutside = (operation: Operation): boolean => !/^(?:connections|clients|audit)/.test(operation);

describe.each(roleNames)('as %s', (role) => {
  test.each(operations)('the table of permissions decides about %s', async (operation) => {
    const { [role]: reach } = permissions[operation];
    const within = await ask(role, requests[operation](inside));
    if (reach === 'none') {
      expect(within.status, within.text).toBe(403);
      expect(within.headers['content-type']).toContain('application/problem+json');
      return;
    }
    expect([200, 201], `${within.status} ${within.text}`).toContain(within.status);
    if (!hasOutside(operation)) return;
    const beyond = await ask(role, requests[operation](outside));
    if (reach === 'own') expect(beyond.status, beyond.text).toBe(404);
    else expect([200, 201], `${beyond.status} ${beyond.text}`).toContain(beyond.status);
  });
});

const changing = (): Pick<Ask, 'method' | 'path'>[] =>
  listManagementRoutes(application())
    .filter(({ method, path }) => method !== 'GET' && !path.endsWith('/test'))
    .map(({ method, path }) => ({
      method,
      path: path
        .slice(1)
        .replace(/^(sites\/):[\w|]+/, '$1corp')
        .replaceAll(/:[\w|]+/g, inside.userId),
    }));

test('an auditor is refused on every route that changes something', async () => {
  expect(changing().length).toBeGreaterThan(20);
  for (const { method, path } of changing()) {
    const body = method === 'DELETE' ? undefined : path.endsWith('import') ? '[]' : {};
    const headers = { 'if-match': '*' };
    const { status, text } = (await browsers.get('auditor')?.manage(method, path, body, headers)) ?? {};
    expect(status, `${method} ${path} ${text}`).toBe(403);
  }
});

describe('a client', () => {
  let system: Awaited<ReturnType<typeof addSystem>>;
  const tokenFor = (scope: string) => system.requestToken(scope);
  const askWith = (token: string, { method, path, body }: Ask) => system.ask(token, method, path, body);

  beforeAll(async () => {
    const scopes = operations.filter((operation) => operation !== 'roles:write');
    system = await addSystem(application(), 'nightly', scopes);
  });

  test.each(operations.filter((operation) => operation !== 'roles:write'))(
    'with the scope %s may do that, and nothing else',
    async (scope) => {
      const { token, answer } = await tokenFor(scope);
      expect(answer.status, answer.text).toBe(200);
      for (const operation of operations) {
        const { status, text } = await askWith(token, requests[operation](inside));
        if (operation === scope) expect([200, 201], `${operation} ${status} ${text}`).toContain(status);
        else if (!impliedBy(scope, operation)) expect(status, `${scope} → ${operation} ${text}`).toBe(403);
      }
    },
  );

  test('sees connections in the overview only with connections:read', async () => {
    const { database, clock } = application().services;
    const disable = (at: Date | null) =>
      database.updateTable('connections').set({ disabled_at: at }).execute();
    await disable(clock.now());
    const named = async (scope: string) => {
      const { token } = await tokenFor(scope);
      return (await askWith(token, { method: 'GET', path: 'overview' })).text.includes('connection-disabled');
    };
    expect(await named('sites:read users:read')).toBe(false);
    expect(await named('sites:read users:read connections:read')).toBe(true);
    await disable(null);
  });

  test('gets no scope that its registration does not have', async () => {
    const { answer } = await tokenFor('roles:write sites:read');
    expect(answer.json()['scope']).toBe('sites:read');
  });

  test('is out as soon as it is removed, or the token is another one', async () => {
    const { token } = await tokenFor('sites:read');
    const [head, claims, signature = ''] = token.split('.');
    const forged = `${head}.${claims}.${signature.slice(0, -4)}AAAA`;
    expect((await askWith(forged, requests['sites:read'](inside))).status).toBe(401);
    expect((await askWith('', requests['sites:read'](inside))).status).toBe(401);
  });
});

/** A change of the logo is permitted by the greater permission too. */
function impliedBy(scope: Operation, operation: Operation): boolean {
  return scope === 'sites:write' && operation === 'sites:look';
}
