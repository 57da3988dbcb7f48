import { beforeAll, describe, expect, test } from 'vitest';
import { addBoardUser } from '../../testing/board-people.ts';
import { openConsole } from '../../testing/operators.ts';
import type { ConsoleBrowser } from '../../testing/operators.ts';
import { useApplication } from '../../testing/use-application.ts';
import { findConnectionByName } from '../company/connections-store.ts';

// docs/decisions/097-a-connections-secret-is-written-never-read.md

const application = useApplication();
const path = 'connections/written';
let owner: ConsoleBrowser;

beforeAll(async () => {
  owner = await openConsole(application(), 'owner@demo.example');
  const body = { name: 'written', displayName: 'Written', kind: 'openid', clientId: 'anteroom' };
  await owner.manage('POST', 'connections', { ...body, issuer: 'https://idp.example' });
});

const send = (secret: unknown, browser = owner) => browser.manage('POST', `${path}/secret`, { secret });

/** The secret that the service would use at the provider. */
async function readSecret(name = 'written'): Promise<string | undefined> {
  const { database, keys } = application().services;
  const found = await findConnectionByName(database, keys, name);
  return found?.kind === 'openid' ? found.clientSecret : undefined;
}

test('the secret of a connection is written, and is in no answer, entity tag, row, audit event or log line [S64]', async () => {
  const { services, clock, log } = application();
  const before = await owner.manage('GET', path);
  expect(before.json()).toMatchObject({ secret: 'none', secretChangedAt: null });
  const secret = 'marked secret/7&81';
  const answers = [await send(secret), await owner.manage('GET', path)];
  expect(answers[0]?.json()).toMatchObject({
    changed: [{ name: 'written', changes: { secret: { from: null, to: 'another, encrypted' } } }],
  });
  expect(answers[1]?.json()).toMatchObject({
    secret: 'stored, encrypted',
    secretChangedAt: clock.now().toISOString(),
  });
  expect(answers[1]?.headers['etag']).toBe(before.headers['etag']);
  expect(await readSecret()).toBe(secret);
  // The same secret again looks like any other one, so that nobody can try secrets.
  answers.push(await send(secret), await send(12), await send([secret]), await send(`${secret}\n`));
  answers.push(await owner.manage('POST', `${path}/secret`, `{"secret":"${secret}`));
  answers.push(await owner.manage('POST', `${path}/secret`, { secret, again: true }));
  answers.push(await owner.manage('POST', 'connections/absent/secret', { secret }));
  expect(answers.slice(2).map(({ status }) => status)).toEqual([200, 422, 422, 422, 422, 422, 404]);
  await services.audit.flush();
  const stored = await Promise.all([
    services.database.selectFrom('connections').selectAll().execute(),
    services.database.selectFrom('audit_events').selectAll().execute(),
  ]);
  const all = JSON.stringify([answers.map(({ text, headers }) => ({ text, headers })), stored, log]);
  expect(all).not.toContain('marked secret');
  expect(all).toContain('"fields":"secret"');
});

test('a new connection is added with its secret, which is in no answer, row, audit event or log line [S64]', async () => {
  const { services, log } = application();
  const secret = 'first secret/9&13';
  const entry = { displayName: 'New', clientId: 'anteroom', issuer: 'https://idp.example' };
  const send = (name: string, more: object, query = '') =>
    owner.manage('POST', `connections${query}`, { ...entry, name, kind: 'openid', ...more });
  const answers = [
    await send('new', { secret }, '?dry-run'),
    await send('new', { secret }),
    // The same secret again looks like any other one.
    await send('new', { secret }),
    await send('saml', { secret, kind: 'saml' }),
    await send('other', { secret: '' }),
    await send('other', { secret: [secret] }),
    await owner.manage('GET', 'connections/new'),
    await owner.manage('GET', 'connections'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 201, 409, 422, 422, 422, 200, 200]);
  expect(answers[6]?.json()).toMatchObject({ secret: 'stored, encrypted' });
  expect(await readSecret('new')).toBe(secret);
  await services.audit.flush();
  const stored = await Promise.all([
    services.database.selectFrom('connections').selectAll().execute(),
    services.database.selectFrom('audit_events').selectAll().execute(),
  ]);
  const all = JSON.stringify([answers.map(({ text, headers }) => ({ text, headers })), stored, log]);
  expect(all).not.toContain('first secret');
  for (const { text } of answers.slice(3, 6)) expect(text).toContain('"pointer":"/secret"');
});

test('null removes the secret of a public client', async () => {
  await send('soon removed');
  expect((await send(null)).json()).toMatchObject({ changed: [{ name: 'written' }] });
  expect((await send(null)).json()).toMatchObject({ unchanged: ['written'] });
  expect(await readSecret()).toBeUndefined();
});

test.each([
  ['an empty secret', '', 'must not be empty'],
  ['a long one', 'x'.repeat(4097), 'must have at most 4096 characters'],
  ['one with a line break', 'a\nb', 'must not contain control characters'],
  ['a number', 1, 'must be text, or null for a public client'],
])('%s is refused with its reason', async (_what, secret, reason) => {
  expect((await send(secret)).json()).toMatchObject({
    status: 422,
    errors: [{ pointer: '/secret', reason }],
  });
});

test('a SAML connection has no client secret', async () => {
  await application()
    .services.database.updateTable('connections')
    .set({
      kind: 'saml',
      settings: JSON.stringify({ issuer: 'x', entryPoint: 'https://x.example', certificates: ['x'] }),
    })
    .where('name', '=', 'written')
    .execute();
  for (const secret of ['a', null])
    expect((await send(secret)).json()).toMatchObject({ status: 422, errors: [{ pointer: '/secret' }] });
});

describe.each(['support', 'auditor', 'administrator'] as const)('for %s', (role) => {
  test('a connection answers as a missing one', async () => {
    const of = role === 'administrator' ? { of: 'corp' } : {};
    const id = await addBoardUser(application().services, { userName: `${role}@x.example`, role, ...of });
    const browser = await openConsole(application(), id);
    const answers = await Promise.all(
      ['written', 'corp', 'absent'].map(async (name) => {
        const { status, text } = await browser.manage('POST', `connections/${name}/secret`, { secret: 'x' });
        return [status, text.replace(/"correlationId":"[^"]*"/, '')];
      }),
    );
    expect(answers[0]?.[0]).toBe(403);
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
  });
});
