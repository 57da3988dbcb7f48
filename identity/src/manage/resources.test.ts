import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { addBoardUser } from '../../testing/board-people.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { databaseKinds } from '../../testing/describe-store.ts';
import { addSystem, openConsole } from '../../testing/operators.ts';
import type { ConsoleBrowser } from '../../testing/operators.ts';
import { until } from '../../testing/until.ts';
import { useApplication } from '../../testing/use-application.ts';
import { operations } from '../admin/permissions.ts';
import { changeLock } from '../admin/resource.ts';

const application = useApplication();
let owner: ConsoleBrowser;

beforeAll(async () => {
  owner = await openConsole(application(), 'owner@demo.example');
});

const etagOf = async (path: string): Promise<string> =>
  (await owner.manage('GET', path)).headers['etag'] ?? '';

describe('two operators never overwrite each other', () => {
  test('a change needs the version that it was made from, and gets the next one', async () => {
    await owner.manage('POST', 'sites', { name: 'versions', displayName: 'First' });
    const first = await etagOf('sites/versions');
    expect((await owner.manage('PATCH', 'sites/versions', { displayName: 'Second' })).status).toBe(428);
    const changed = await owner.manage(
      'PATCH',
      'sites/versions',
      { displayName: 'Second' },
      { 'if-match': first },
    );
    expect(changed.status, changed.text).toBe(200);
    expect(changed.headers['etag']).toBe(await etagOf('sites/versions'));
    const stale = await owner.manage(
      'PATCH',
      'sites/versions',
      { displayName: 'Third' },
      { 'if-match': first },
    );
    expect(stale.json()).toMatchObject({
      status: 412,
      type: '/problems/changed',
      present: { name: 'versions', displayName: 'Second' },
      etag: changed.headers['etag'],
    });
    expect((await owner.manage('DELETE', 'sites/versions', undefined, { 'if-match': first })).status).toBe(
      412,
    );
    expect(
      (await owner.manage('DELETE', 'sites/versions', undefined, { 'if-match': '*' })).json(),
    ).toMatchObject({
      removed: ['versions'],
    });
  });

  test('of 100 changes of one version at once, exactly one is made', async () => {
    await owner.manage('POST', 'sites', { name: 'crowded', displayName: 'Crowded' });
    const etag = await etagOf('sites/crowded');
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        owner.manage('PATCH', 'sites/crowded', { displayName: `Name ${n}` }, { 'if-match': etag }),
      ),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    // A change that waits too long for its turn is refused too.
    expect([count(200), count(412) + count(503)]).toEqual([1, 99]);
    expect(count(412)).toBeGreaterThan(0);
  });

  test('of 100 changes of different entries at once, none that was acknowledged is lost', async () => {
    const names = Array.from({ length: 100 }, (_, n) => `many-${n}`);
    const rows = names.map((name) => ({ name, displayName: name }));
    const imported = await owner.manage('POST', 'sites/import', JSON.stringify(rows));
    expect(imported.status, imported.text).toBe(200);
    const answers = await Promise.all(
      names.map((name) =>
        owner.manage('PATCH', `sites/${name}`, { displayName: `New ${name}` }, { 'if-match': '*' }),
      ),
    );
    // A change that waits too long for its turn is refused, and writes nothing.
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    const written = new Set(names.filter((_name, index) => answers[index]?.status === 200));
    expect(written.size).toBeGreaterThan(0);
    const { rows: stored } = await readSites('many-%');
    expect(
      stored.filter(({ name, display_name: shown }) => (shown === `New ${name}`) !== written.has(name)),
    ).toEqual([]);
  });

  // The embedded database has a single connection, so a rename cannot come between.
  test.runIf(databaseKinds[0]?.kind === 'PostgreSQL').each([
    ['PATCH', 'users/:id', { firstName: 'Changed' }],
    ['DELETE', 'users/:id', undefined],
    ['PATCH', 'sites/harbor/members/:id', { clientEntitlement: 'Changed' }],
    ['DELETE', 'sites/harbor/members/:id', undefined],
    ['DELETE', 'roles/:role', undefined],
  ] as const)(
    '%s %s acts on the account of the address, whoever gets its user name meanwhile',
    async (...of) => {
      const [method, path, body] = of;
      const { services } = application();
      const { database } = services;
      const [asked = '', other = ''] = await Promise.all(
        ['asked', 'other'].map((name) =>
          addBoardUser(services, {
            userName: `${name} ${method} ${path}`,
            sites: ['harbor'],
            role: 'support',
          }),
        ),
      );
      const read = async (id: string) => [
        await database.selectFrom('users').select('first_name').where('id', '=', id).execute(),
        await database.selectFrom('memberships').selectAll().where('user_id', '=', id).execute(),
        await database.selectFrom('roles').selectAll().where('user_id', '=', id).execute(),
      ];
      const before = await Promise.all([read(asked), read(other)]);
      const role = before[0][2]?.[0];
      const address = path.replace(':id', asked).replace(':role', role && 'id' in role ? role.id : '');
      const answer = await database.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(${changeLock})`.execute(transaction);
        const changing = owner.manage(method, address, body, { 'if-match': '*' });
        await until(async () => {
          const waiting = sql`select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))`;
          return (await waiting.execute(transaction)).rows.length > 0;
        });
        await sql`update sign_in_names set user_id = case user_id when ${asked} then ${other} else ${asked} end
        where user_id in (${asked}, ${other})`.execute(transaction);
        const rename = (id: string, userName: string) =>
          transaction.updateTable('users').set({ user_name: userName }).where('id', '=', id).execute();
        await rename(asked, 'in between');
        await rename(other, `asked ${method} ${path}`);
        await rename(asked, `other ${method} ${path}`);
        return { changing };
      });
      const { status, text } = await answer.changing;
      expect(status, text).toBe(200);
      expect(await read(asked)).not.toEqual(before[0]);
      expect(await read(other)).toEqual(before[1]);
    },
  );

  async function readSites(pattern: string) {
    const rows = await application()
      .services.database.selectFrom('sites')
      .select(['name', 'display_name'])
      .where('name', 'like', pattern)
      .execute();
    return { rows };
  }
});

describe('an entry', () => {
  test('that exists with the same content is unchanged, and with another content a conflict', async () => {
    const site = { name: 'twice', displayName: 'Twice' };
    expect((await owner.manage('POST', 'sites', site)).status).toBe(201);
    const again = await owner.manage('POST', 'sites', site);
    expect([again.status, again.json()]).toEqual([200, { added: [], changed: [], unchanged: ['twice'] }]);
    expect((await owner.manage('POST', 'sites', { ...site, displayName: 'Other' })).json()).toMatchObject({
      status: 409,
      errors: [{ pointer: '/name', code: 'exists' }],
    });
  });

  test('is not written by a dry run, which says what would change', async () => {
    const site = { name: 'dry', displayName: 'Dry' };
    expect((await owner.manage('POST', 'sites?dry-run', site)).json()).toMatchObject({ added: ['dry'] });
    expect((await owner.manage('GET', 'sites/dry')).status).toBe(404);
  });

  test('names every field that is wrong', async () => {
    const answer = await owner.manage('POST', 'users', {
      userName: 'x',
      email: 'nonsense',
      phoneNumber: '12',
      firstName: 'A',
      lastName: 'B',
    });
    expect(answer.json()).toMatchObject({ status: 422, type: '/problems/invalid' });
    const { errors } = answer.json() as { errors: { pointer: string; reason: string }[] };
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/email', '/phoneNumber']);
    expect(errors.every(({ reason }) => reason !== '')).toBe(true);
  });

  test('of a person names the fields of the form that are empty, each once', async () => {
    const body = { email: '', firstName: '', lastName: 'B', label: 'x'.repeat(101) };
    const answer = await owner.manage('POST', 'sites/harbor/people', body);
    expect(answer.json()).toMatchObject({ status: 422 });
    const { errors } = answer.json() as { errors: { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual(['/email', '/firstName', '/label']);
  });

  test('takes the lines of a form, each with several values, as a list', async () => {
    const client = {
      id: 'listed',
      displayName: 'Listed',
      redirectUris: ['https://a.example/x https://b.example/x', ''],
    };
    expect(await owner.manage('POST', 'clients', client)).toMatchObject({ status: 201 });
    expect((await owner.manage('GET', 'clients/listed')).json()).toMatchObject({
      redirectUris: ['https://a.example/x', 'https://b.example/x'],
    });
  });

  test('keeps its password hash to the command line', async () => {
    const user = {
      userName: 'hashed',
      firstName: 'A',
      lastName: 'B',
      passwordHash: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
    };
    expect((await owner.manage('POST', 'users', user)).json()).toMatchObject({
      status: 422,
      errors: [{ pointer: '/passwordHash', reason: 'can only be set on the command line' }],
    });
  });
});

test('a list comes in pages, each entry once', async () => {
  const seen: string[] = [];
  let next: string | null = null;
  do {
    const after: string = next === null ? '' : `&after=${encodeURIComponent(next)}`;
    const page = (await owner.manage('GET', `sites?limit=7${after}`)).json() as {
      items: { name: string }[];
      next: string | null;
    };
    seen.push(...page.items.map(({ name }) => name));
    ({ next } = page);
  } while (next !== null);
  const stored = await application()
    .services.database.selectFrom('sites')
    .select('name')
    .orderBy('name')
    .execute();
  expect(seen).toEqual(stored.map(({ name }) => name));
});

test('the tree of sites has each site before those below it, on every page and within every scope', async () => {
  const names = ['fleet', 'fleet-a', 'fleet-a-deep', 'fleet-z', 'fleetless'];
  const parents = [null, 'fleet', 'fleet-a', 'fleet', null];
  const rows = names.map((name, index) => ({ name, displayName: name, parent: parents[index] ?? null }));
  // "fleet-a-deep" is last in the file and by its name before its aunt.
  expect((await owner.manage('POST', 'sites/import', JSON.stringify(rows))).status).toBe(200);
  const found: [string, number][] = [];
  let after = '';
  do {
    const page = await owner.manage('GET', `sites?tree=true&limit=2${after}`);
    const { items, next } = page.json() as { items: { name: string; depth: number }[]; next: string | null };
    found.push(...items.map(({ name, depth }): [string, number] => [name, depth]));
    after = next === null ? '' : `&after=${next}`;
  } while (after !== '');
  expect(found.filter(([name]) => name.startsWith('fleet'))).toEqual([
    ['fleet', 0],
    ['fleet-a', 1],
    ['fleet-a-deep', 2],
    ['fleet-z', 1],
    ['fleetless', 0],
  ]);
  expect(new Set(found.map(([name]) => name)).size).toBe(found.length);

  const id = await addBoardUser(application().services, {
    userName: 'fleet-office@demo.example',
    sites: ['fleet-a'],
    role: 'administrator',
    of: 'fleet-a',
  });
  const office = await openConsole(application(), id);
  expect((await office.manage('GET', 'sites?tree=true')).json()).toMatchObject({
    items: [
      { name: 'fleet-a', parent: null, depth: 0 },
      { name: 'fleet-a-deep', parent: 'fleet-a', depth: 1 },
    ],
    next: null,
  });
});

describe('an import', () => {
  const csv = (count: number, wrong?: number): string =>
    [
      'userName,firstName,lastName,email',
      ...Array.from(
        { length: count },
        (_, n) => `import-${n},A,B,${n === wrong ? 'nonsense' : `import-${n}@x.example`}`,
      ),
    ].join('\n');
  const send = (body: string, query = '') =>
    owner.manage('POST', `users/import${query}`, body, { 'content-type': 'text/csv' });
  const count = async () =>
    (
      await application()
        .services.database.selectFrom('users')
        .select('id')
        .where('user_name', 'like', 'import-%')
        .execute()
    ).length;

  test('of 5,000 rows with one fault writes nothing, and names the line and the field', async () => {
    const answer = await send(csv(5_000, 4_321));
    expect(answer.json()).toMatchObject({
      status: 422,
      errors: [{ pointer: '/email', line: 4_323, reason: 'must be an e-mail address' }],
    });
    expect(await count()).toBe(0);
  });

  test('of 5,000 rows is written whole, and a larger one is for the command line', async () => {
    const tooMany = await send(csv(5_001));
    expect(tooMany.json()).toMatchObject({ status: 422 });
    const dry = await send(csv(5_000), '?dry-run');
    expect((dry.json()['added'] as string[]).length).toBe(5_000);
    expect(await count()).toBe(0);
    const answer = await send(csv(5_000));
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    expect(await count()).toBe(5_000);
    expect((await send('x'.repeat(2 * 1024 * 1024 + 1))).status).toBe(413);
  });
});

describe('the last owner', () => {
  test('cannot be taken away by HTTP, and another one can', async () => {
    const { items } = (await owner.manage('GET', 'roles?role=owner')).json() as { items: { id: string }[] };
    const remove = (id: string | undefined) =>
      owner.manage('DELETE', `roles/${id}`, undefined, { 'if-match': '*' });
    expect((await remove(items[0]?.id)).json()).toMatchObject({
      status: 409,
      errors: [{ code: 'last-owner' }],
    });
    await addBoardUser(application().services, { userName: 'second@x.example', role: 'owner' });
    const all = (await owner.manage('GET', 'roles?role=owner')).json() as {
      items: { id: string; userName: string }[];
    };
    const other = all.items.find(({ userName }) => userName === 'second@x.example');
    expect((await remove(other?.id)).status).toBe(200);
  });

  test('of the command line is the way back', async () => {
    const { run } = createCommandLine(application().services, application().clock, {}, application().keys);
    await addBoardUser(application().services, { userName: 'rescuer@x.example' });
    expect(await run('roles add owner rescuer@x.example')).toMatchObject({ code: 0, errors: '' });
    expect((await run('roles list --role owner')).output).toContain('rescuer@x.example');
    expect(await run('roles remove owner rescuer@x.example')).toMatchObject({ code: 0 });
    expect((await run('roles add chief rescuer@x.example')).errors).toContain('must be owner, support');
    expect((await run('roles add administrator rescuer@x.example')).errors).toContain('is required');
  });
});

describe('the command line, the console and a client do the same', () => {
  type Face = 'shell' | 'console' | 'api';
  let system: Awaited<ReturnType<typeof addSystem>>;
  let token = '';
  const command = () =>
    createCommandLine(application().services, application().clock, {}, application().keys);

  beforeAll(async () => {
    system = await addSystem(application(), 'everything', operations);
    ({ token } = await system.requestToken(operations.join(' ')));
    await application().services.audit.flush();
  });

  type Step = {
    words: (name: string) => string;
    /** Standard input of the command. */
    input?: string;
    ask: (name: string, id: string) => { method: 'POST' | 'PATCH' | 'DELETE'; path: string; body?: object };
  };
  /** In this order, with a site and a user of the face's own name. */
  const steps: Readonly<Record<string, Step>> = {
    'add a site': {
      words: (name) => `sites add ${name} --display-name Board`,
      ask: (name) => ({ method: 'POST', path: 'sites', body: { name, displayName: 'Board' } }),
    },
    'change a site': {
      words: (name) => `sites update ${name} --display-name Other --no-listed`,
      ask: (name) => ({
        method: 'PATCH',
        path: `sites/${name}`,
        body: { displayName: 'Other', listed: false },
      }),
    },
    'add a user': {
      words: (name) => `users add ${name} --first-name Ada --last-name Test --email ${name}@x.example`,
      ask: (name) => ({
        method: 'POST',
        path: 'users',
        body: { userName: name, firstName: 'Ada', lastName: 'Test', email: `${name}@x.example` },
      }),
    },
    'change a user': {
      words: (name) => `users update ${name} --phone-number +442079460155`,
      ask: (_name, id) => ({ method: 'PATCH', path: `users/${id}`, body: { phoneNumber: '+442079460155' } }),
    },
    'add a member': {
      words: (name) => `members add ${name} ${name} --client-entitlement Chair`,
      ask: (name) => ({
        method: 'POST',
        path: `sites/${name}/members`,
        body: { userName: name, clientEntitlement: 'Chair' },
      }),
    },
    'block a member': {
      words: (name) => `members disable ${name} ${name}`,
      ask: (name, id) => ({
        method: 'PATCH',
        path: `sites/${name}/members/${id}`,
        body: { entitlementRequirementsMet: false },
      }),
    },
    'give a role': {
      words: (name) => `roles add administrator ${name} ${name}`,
      ask: (name) => ({
        method: 'POST',
        path: 'roles',
        body: { role: 'administrator', userName: name, site: name },
      }),
    },
    'clear lock-outs': {
      words: (name) => `lockouts clear --user ${name}`,
      ask: (_name, id) => ({ method: 'POST', path: `users/${id}/unlock`, body: {} }),
    },
    'end sessions': {
      words: (name) => `sessions end --user ${name}`,
      ask: (_name, id) => ({ method: 'POST', path: `users/${id}/end-sessions`, body: {} }),
    },
    invite: {
      words: (name) => `users invite ${name}`,
      ask: (_name, id) => ({ method: 'POST', path: `users/${id}/invite`, body: {} }),
    },
    'add a connection': {
      words: (name) =>
        `connections add ${name} --display-name C --kind openid --issuer https://${name}.example --client-id x --secret-stdin`,
      input: 'first-secret',
      ask: (name) => ({
        method: 'POST',
        path: 'connections',
        body: {
          name,
          displayName: 'C',
          kind: 'openid',
          issuer: `https://${name}.example`,
          clientId: 'x',
          secret: 'first-secret',
        },
      }),
    },
    'replace the secret of a connection': {
      words: (name) => `connections update ${name} --secret-stdin`,
      input: 'second-secret',
      ask: (name) => ({
        method: 'POST',
        path: `connections/${name}/secret`,
        body: { secret: 'second-secret' },
      }),
    },
    'remove the secret of a connection': {
      words: (name) => `connections update ${name} --public-client`,
      ask: (name) => ({ method: 'POST', path: `connections/${name}/secret`, body: { secret: null } }),
    },
    'remove a member': {
      words: (name) => `members remove ${name} ${name}`,
      ask: (name, id) => ({ method: 'DELETE', path: `sites/${name}/members/${id}` }),
    },
    'remove a user': {
      words: (name) => `users remove ${name}`,
      ask: (_name, id) => ({ method: 'DELETE', path: `users/${id}` }),
    },
  };

  async function idOf(name: string): Promise<string> {
    const row = await application()
      .services.database.selectFrom('users')
      .select('id')
      .where('user_name', '=', name)
      .executeTakeFirst();
    return row?.id ?? '';
  }

  async function take(face: Face, { words, input, ask }: Step, name: string): Promise<void> {
    if (face === 'shell') {
      expect((await command().run(words(name), input)).errors).toBe('');
      return;
    }
    const { method, path, body } = ask(name, await idOf(name));
    const answer =
      face === 'console'
        ? await owner.manage(method, path, body, { 'if-match': '*' })
        : await system.ask(token, method, path, body);
    expect([200, 201], answer.text).toContain(answer.status);
  }

  /** Everything stored about the face's site and user, and the events since, without what names the face. */
  async function readAll(name: string, id: string, since: string): Promise<unknown> {
    const { database } = application().services;
    const [site, user, memberships, roles, connections, events] = await Promise.all([
      database.selectFrom('sites').selectAll().where('name', '=', name).execute(),
      database.selectFrom('users').selectAll().where('id', '=', id).execute(),
      database.selectFrom('memberships').selectAll().where('user_id', '=', id).execute(),
      database.selectFrom('roles').selectAll().where('user_id', '=', id).execute(),
      database.selectFrom('connections').selectAll().where('name', '=', name).execute(),
      database.selectFrom('audit_events').selectAll().where('number', '>', since).orderBy('number').execute(),
    ]);
    const kept = events.map(({ event, result, reason, site: at, user_id: of, connection, details }) => {
      const { operator: _operator, via: _via, ...rest } = details;
      return { event, result, reason, at, of, connection, rest };
    });
    return JSON.parse(
      JSON.stringify({ site, user, memberships, roles, connections, kept })
        .replaceAll(name, 'NAME')
        .replaceAll(id === '' ? 'NONE' : id, 'USER')
        .replaceAll(/"(site_id|id|home_site_id|secret_sealed)":"[^"]*"/g, '"$1":"…"'),
    );
  }

  async function latestEvent(): Promise<string> {
    const row = await application()
      .services.database.selectFrom('audit_events')
      .select(({ fn }) => fn.max('number').as('number'))
      .executeTakeFirst();
    return String(row?.number ?? '0');
  }

  test.each(Object.entries(steps))('%s: the same rows and the same event', async (_what, step) => {
    const results: unknown[] = [];
    for (const face of ['shell', 'console', 'api'] as const) {
      const name = `face-${face}`;
      const before = await idOf(name);
      const since = await latestEvent();
      await take(face, step, name);
      const id = (await idOf(name)) || before;
      await application().services.audit.flush();
      results.push(await readAll(name, id, since));
      const recorded = await application()
        .services.database.selectFrom('audit_events')
        .select('details')
        .where('number', '>', since)
        .where('event', '=', 'operator.change')
        .execute();
      expect(recorded.map(({ details }) => details['via'])).toEqual(recorded.map(() => face));
    }
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });
});
