import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addBoard, addBoardUser } from '../../testing/board-people.ts';
import { openConsole } from '../../testing/operators.ts';
import type { ConsoleBrowser } from '../../testing/operators.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();
const boards = ['a', 'a-below', 'b', 'c'] as const;
type Board = (typeof boards)[number];
const withinA: readonly string[] = ['a', 'a-below'];

const scenario = fc.record({
  home: fc.option(fc.constantFrom(...boards), { nil: undefined }),
  sites: fc.subarray([...boards]),
  role: fc.option(
    fc.oneof(
      fc.constantFrom<{ role: 'owner' | 'support' | 'auditor' }>(
        { role: 'owner' },
        { role: 'support' },
        { role: 'auditor' },
      ),
      fc.record({ role: fc.constant('administrator' as const), of: fc.constantFrom(...boards) }),
    ),
    { nil: undefined },
  ),
  acts: fc.array(
    fc.constantFrom(
      'rename',
      'other e-mail',
      'no e-mail',
      'disable',
      'other phone',
      'lost phone',
      'end sessions',
      'unlock',
      'own home',
      'add to a',
      'add to a by e-mail',
      'block at a',
      'remove from a',
      'administrator of a',
      'administrator of b',
      'remove account',
    ),
    { minLength: 1, maxLength: 5 },
  ),
});

let administrator: ConsoleBrowser;

beforeAll(async () => {
  const { services } = application();
  await addBoard(services, 'a');
  await addBoard(services, 'a-below', 'a');
  await addBoard(services, 'b');
  await addBoard(services, 'c');
  const id = await addBoardUser(services, { userName: 'admin@a.example', role: 'administrator', of: 'a' });
  administrator = await openConsole(application(), id);
});

/** What another board relies on: the account, how its user signs in, and everything at other boards. */
async function readReliedOn(id: string): Promise<unknown> {
  const { rows } = await sql`
    select users.user_name, users.email, first_name, last_name, phone_number, status, home_site_id, security_version,
      (select row_to_json(credentials) from credentials where user_id = users.id) as password,
      (select count(*) from passkeys where user_id = users.id) as passkeys,
      (select count(*) from sessions where user_id = users.id and ended_at is null) as sessions,
      (select json_agg(row_to_json(memberships) order by site_id) from memberships join sites on sites.id = site_id
        where user_id = users.id and not name = any(${[...withinA]}::text[])) as memberships,
      (select json_agg(role || coalesce(name, '') order by role, name) from roles left join sites on sites.id = site_id
        where user_id = users.id and (name is null or not name = any(${[...withinA]}::text[]))) as roles
    from users where id = ${id}`.execute(application().services.database);
  return rows[0];
}

async function act(name: string, id: string, email: string): Promise<void> {
  const any = { 'if-match': '*' };
  const { manage } = administrator;
  const change = (body: object) => manage('PATCH', `users/${id}`, body, any);
  const acts: Readonly<Record<string, () => Promise<unknown>>> = {
    rename: () => change({ firstName: 'Mallory' }),
    'other e-mail': () => change({ email: `mallory-${id.slice(0, 6).toLowerCase()}@evil.test` }),
    'no e-mail': () => change({ email: null }),
    disable: () => change({ disabled: true }),
    'other phone': () => change({ phoneNumber: '+442079460199' }),
    'lost phone': () => manage('POST', `users/${id}/lost-phone`, { phoneNumber: '+442079460199' }),
    'end sessions': () => manage('POST', `users/${id}/end-sessions`),
    unlock: () => manage('POST', `users/${id}/unlock`),
    'own home': () => change({ homeSite: 'a' }),
    'add to a': () => manage('POST', 'sites/a/members', { userName: id }),
    'add to a by e-mail': () =>
      manage('POST', 'sites/a/people', { email, firstName: 'Mallory', lastName: 'Evil' }),
    'block at a': () => manage('PATCH', `sites/a/members/${id}`, { entitlementRequirementsMet: false }, any),
    'remove from a': () => manage('DELETE', `sites/a/members/${id}`, undefined, any),
    'administrator of a': () => manage('POST', 'roles', { role: 'administrator', userName: id, site: 'a' }),
    'administrator of b': () => manage('POST', 'roles', { role: 'administrator', userName: id, site: 'b' }),
    'remove account': () => manage('DELETE', `users/${id}`, undefined, any),
  };
  await acts[name]?.();
  await application().services.database.deleteFrom('limits').execute();
}

const isManaged = ({
  home,
  sites,
  role,
}: {
  home: Board | undefined;
  sites: readonly Board[];
  role?: { role: string; of?: Board } | undefined;
}): boolean =>
  home !== undefined &&
  withinA.includes(home) &&
  sites.every((site) => withinA.includes(site)) &&
  (role === undefined || (role.of !== undefined && withinA.includes(role.of)));

test('no sequence of acts of an administrator changes what another board relies on [S62]', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async ({ home, sites, role, acts }) => {
      number += 1;
      const userName = `user-${number}@x.example`;
      const id = await addBoardUser(application().services, {
        userName,
        sites,
        ...(home !== undefined && { home }),
        ...role,
      });
      const before = await readReliedOn(id);
      for (const name of acts) await act(name, id, userName);
      if (!isManaged({ home, sites, role })) expect(await readReliedOn(id)).toEqual(before);
    }),
    { numRuns: 200 },
  );
});

test('an account that is managed can be changed, and another one cannot, cell by cell', async () => {
  const { services } = application();
  for (const home of [undefined, ...boards])
    for (const site of boards) {
      const userName = `${home ?? 'none'}-${site}@y.example`;
      const id = await addBoardUser(services, {
        userName,
        sites: [...new Set(['a', site])],
        ...(home && { home }),
      });
      const answer = await administrator.manage(
        'PATCH',
        `users/${id}`,
        { firstName: 'New' },
        { 'if-match': '*' },
      );
      expect(answer.status, `${userName} ${answer.text}`).toBe(
        isManaged({ home, sites: [site] }) ? 200 : 403,
      );
    }
});

test('an account with another e-mail is a new invitation: nothing of the one before stays', async () => {
  const { services } = application();
  const { database } = services;
  const id = await addBoardUser(services, { userName: 'before@z.example', sites: ['a'], home: 'a' });
  await database
    .insertInto('passkeys')
    .values({
      credential_id: 'prepared',
      user_id: id,
      public_key: 'x',
      sign_count: 0,
      backup_eligible: false,
      backed_up: false,
      transports: '[]',
      aaguid: '0',
      name: 'prepared',
      created_at: services.clock.now(),
    })
    .execute();
  await database.updateTable('users').set({ phone_number: '+442079460199' }).where('id', '=', id).execute();
  const before = await database
    .selectFrom('credentials')
    .selectAll()
    .where('user_id', '=', id)
    .executeTakeFirst();
  const session = await openConsole(application(), id, { methods: ['pwd'] });
  const answer = await administrator.manage(
    'PATCH',
    `users/${id}`,
    { email: 'director@b.example' },
    { 'if-match': '*' },
  );
  expect(answer.status, answer.text).toBe(200);
  const user = await database.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  // the user name was the e-mail, and nobody can be found by the old one
  expect(user).toMatchObject({
    email: 'director@b.example',
    user_name: 'director@b.example',
    phone_number: null,
  });
  const names = await database
    .selectFrom('sign_in_names')
    .select('name_key')
    .where('user_id', '=', id)
    .execute();
  expect(names).toEqual([{ name_key: 'director@b.example' }]);
  expect(await database.selectFrom('passkeys').select('name').where('user_id', '=', id).execute()).toEqual(
    [],
  );
  const after = await database
    .selectFrom('credentials')
    .selectAll()
    .where('user_id', '=', id)
    .executeTakeFirst();
  expect(after?.password_hash).not.toBe(before?.password_hash);
  expect((await session.manage('GET', 'me')).status).toBe(401);
  const invited = await database
    .selectFrom('outbox')
    .select('recipient')
    .where('recipient', '=', 'director@b.example')
    .execute();
  expect(invited).toHaveLength(1);
});

test('a user name that is somebody else’s e-mail does not bring a prepared account onto a board', async () => {
  const { services } = application();
  const id = await addBoardUser(services, { userName: 'victim@b.example', sites: ['c'], home: 'c' });
  await services.database
    .updateTable('users')
    .set({ email: 'mallory@evil.test' })
    .where('id', '=', id)
    .execute();
  const person = { email: 'victim@b.example', firstName: 'V', lastName: 'B' };
  expect((await administrator.manage('POST', 'sites/a/people', person)).json()).toMatchObject({
    status: 409,
    errors: [{ pointer: '/email', code: 'taken' }],
  });
  expect(
    (await administrator.manage('POST', 'sites/a/members', { userName: 'victim@b.example' })).status,
  ).toBe(404);
});
