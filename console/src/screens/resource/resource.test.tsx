import { describe, expect, test } from 'vitest';
import { draw, fill, press, requireButton, settle, textOf } from '../../testing/draw.tsx';
import { connections, corp, createAnswers, owner, problem } from '../../testing/stand-in.ts';
import type { Answers } from '../../testing/stand-in.ts';

const me = {
  ...owner,
  resources: { connections, users: { ...connections, name: 'users' as const, importable: true } },
};
const answers = (replaced: Answers = {}): Answers =>
  createAnswers(me, {
    'GET connections': () => ({ body: { items: [corp], next: null } }),
    'GET connections/corp': () => ({ body: corp, etag: '"1"' }),
    ...replaced,
  });
const valueOf = (name: string): string =>
  document.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value ?? '';

test('a list has the columns of the definition, and a link for each entry', async () => {
  await draw('/connections', answers());
  expect([...document.querySelectorAll('thead th')].map((one) => one.textContent)).toEqual([
    'Name',
    'Display name',
    'Kind',
  ]);
  expect(document.querySelector('[data-row="corp"] a')?.getAttribute('href')).toBe('/connections/corp');
});

test('a list of a tree indents what is below another entry, but not the matches of a search', async () => {
  const tree = {
    ...connections,
    filters: { ...connections.filters, tree: { help: 'tree', kind: 'flag' as const } },
  };
  const asked: string[] = [];
  await draw('/connections', {
    ...answers({
      'GET me': () => ({ body: { ...me, resources: { connections: tree } } }),
      'GET connections': ({ query }) => {
        asked.push(query.toString());
        const below = { ...corp, name: 'corp-audit', depth: 1 };
        return { body: { items: [{ ...corp, depth: 0 }, below], next: null } };
      },
    }),
  });
  const indentOf = (name: string): string | undefined =>
    document.querySelector<HTMLElement>(`[data-row="${name}"] th`)?.dataset['depth'];
  expect([indentOf('corp'), indentOf('corp-audit')]).toEqual(['0', '1']);
  expect(asked).toEqual(['tree=true']);
});

test('a form has a field for each field of the definition, with its help', async () => {
  await draw('/connections/corp?do=edit', answers());
  expect(valueOf('displayName')).toBe('Corp');
  expect(document.querySelector('textarea[name="domains"]')?.textContent).toBe('corp.example');
  expect(document.querySelector('select[name="kind"]')).not.toBeNull();
  expect(document.querySelector<HTMLInputElement>('[name="disabled"]')?.type).toBe('checkbox');
  expect(document.querySelector<HTMLInputElement>('[name="name"]')?.readOnly).toBe(true);
  expect(textOf('main')).toContain('its name for users');
});

test('a form without the permission to change has no button', async () => {
  const { 'connections:write': _, ...operations } = me.operations;
  await draw('/connections/corp', answers({ 'GET me': () => ({ body: { ...me, operations } }) }));
  expect(() => requireButton('Change')).toThrow('No button');
  expect(() => requireButton('Save')).toThrow('No button');
});

test('a save sends what was changed, with the version that was read', async () => {
  const sent = await draw(
    '/connections/corp?do=edit',
    answers({ 'PATCH connections/corp': () => ({ body: {} }) }),
  );
  fill('Display name', 'Corporation');
  fill('Sequence', '3');
  await press('Save');
  await settle(() => document.querySelector('[role="status"]'));
  expect(sent.find(({ method }) => method === 'PATCH')).toMatchObject({
    body: { displayName: 'Corporation', sequence: '3' },
    ifMatch: '"1"',
  });
});

test('after a change by another operator both values stand side by side, and the next save is on top of theirs', async () => {
  let etag = '"1"';
  const sent = await draw(
    '/connections/corp?do=edit',
    answers({
      'PATCH connections/corp': ({ ifMatch }) => {
        if (ifMatch === '"2"') return { body: {} };
        etag = '"2"';
        const present = { ...corp, displayName: 'Corp Group', sequence: 9 };
        return problem('changed', 412, { present, etag });
      },
    }),
  );
  fill('Display name', 'Corporation');
  await press('Save');
  const choice = await settle(() => document.querySelector('[data-conflict="displayName"]'));
  expect(choice.textContent).toContain('Keep mine: Corporation');
  expect(choice.textContent).toContain('Take theirs: Corp Group');
  expect(document.querySelector('[data-conflict="sequence"]')).toBeNull();
  await press('Save');
  await settle(() => !document.querySelector('[data-conflict]'));
  const last = sent.filter(({ method }) => method === 'PATCH').at(-1);
  expect(last?.ifMatch).toBe(etag);
  // The sequence, which only the other operator changed, stays as it is.
  expect(last?.body).toEqual({ displayName: 'Corporation' });
});

test('their value is kept if the operator chooses it', async () => {
  const sent = await draw(
    '/connections/corp?do=edit',
    answers({
      'PATCH connections/corp': ({ ifMatch }) =>
        ifMatch === '"2"'
          ? { body: {} }
          : problem('changed', 412, { present: { ...corp, displayName: 'Corp Group' }, etag: '"2"' }),
    }),
  );
  fill('Display name', 'Corporation');
  await press('Save');
  const theirs = await settle(() => document.querySelector<HTMLInputElement>('[value="theirs"]'));
  theirs.click();
  await press('Save');
  await settle(() => !document.querySelector('[data-conflict]'));
  expect(sent.filter(({ method }) => method === 'PATCH').at(-1)?.body).toEqual({});
});

test('errors of the service stand at their fields, and others above the form', async () => {
  await draw(
    '/connections/corp?do=edit',
    answers({
      'PATCH connections/corp': () =>
        problem('invalid', 422, {
          errors: [
            { pointer: '/domains', reason: 'must be domains such as corp.example' },
            { reason: 'the metadata cannot be read' },
          ],
        }),
    }),
  );
  await press('Save');
  const error = await settle(() => document.querySelector('[data-error]'));
  expect(error.textContent).toBe('must be domains such as corp.example');
  expect(document.querySelector('[aria-invalid]')?.getAttribute('name')).toBe('domains');
  expect(textOf('[role="alert"]')).toContain('the metadata cannot be read');
});

test('an error in a part of the form that is closed opens it', async () => {
  const refused = problem('invalid', 422, { errors: [{ pointer: '/sequence', reason: 'must be a number' }] });
  await draw('/new/connections', answers({ 'POST connections': () => refused }));
  expect(document.querySelector('details')?.open).toBe(false);
  await press('Create');
  await settle(() => document.querySelector('[data-error]'));
  expect(document.querySelector('details')?.open).toBe(true);
  expect(document.activeElement?.getAttribute('name')).toBe('sequence');
});

test('a new entry sends the fields that were filled in', async () => {
  const sent = await draw(
    '/new/connections',
    answers({
      'POST connections': () => ({ status: 201, body: { added: ['corp'], changed: [], unchanged: [] } }),
    }),
  );
  fill('Name', 'corp');
  fill('Display name', 'Corp');
  await press('Create');
  await settle(() => textOf('h1') === 'Corp');
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
    name: 'corp',
    displayName: 'Corp',
    sequence: '0',
    disabled: false,
  });
});

test('a new connection sends its client secret with the other fields', async () => {
  const sent = await draw(
    '/new/connections',
    answers({
      'POST connections': () => ({ status: 201, body: { added: ['corp'], changed: [], unchanged: [] } }),
    }),
  );
  expect(document.querySelector<HTMLInputElement>('[name="secret"]')?.type).toBe('password');
  fill('Name', 'corp');
  fill('Client secret', 'a-new-secret');
  await press('Create');
  await settle(() => textOf('h1') === 'Corp');
  expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({ secret: 'a-new-secret' });
  expect(document.documentElement.outerHTML).not.toContain('a-new-secret');
});

test('a removal shows the counts of the dry run before it is confirmed', async () => {
  const sent = await draw(
    '/connections/corp?do=remove',
    answers({
      'DELETE connections/corp': () => ({
        body: { removed: ['corp'], deleted: { identities: 41 }, kept: ['users'] },
      }),
    }),
  );
  await settle(() => document.body.textContent?.includes('Deletes: identities, 41'));
  expect(sent.filter(({ method }) => method === 'DELETE').map(({ dryRun }) => dryRun)).toEqual([true]);
});

describe('the client secret of a connection', () => {
  const openid = { ...corp, kind: 'openid', secret: 'none', secretChangedAt: null };
  const stored = { ...openid, secret: 'stored, encrypted', secretChangedAt: '2026-11-26T09:14:00.000Z' };

  test('is sent and not shown, and the page says when it was changed', async () => {
    let isStored = false;
    const sent = await draw(
      '/connections/corp?do=secret',
      answers({
        'GET connections/corp': () => ({ body: isStored ? stored : openid, etag: '"1"' }),
        'POST connections/corp/secret': () => {
          isStored = true;
          return { body: {} };
        },
      }),
    );
    expect(textOf('main')).toContain('No client secret is stored.');
    expect(document.querySelector<HTMLInputElement>('[name="secret"]')?.type).toBe('password');
    fill('Client secret', 'a-new-secret');
    await press('Save');
    await settle(() =>
      textOf('main').includes('A client secret is stored. It is never shown. Changed on 26 Nov'),
    );
    expect(sent.find(({ path }) => path.endsWith('/secret'))).toMatchObject({
      method: 'POST',
      body: { secret: 'a-new-secret' },
    });
    expect(document.documentElement.outerHTML).not.toContain('a-new-secret');
  });

  test.each([
    ['for a SAML connection', corp, {}],
    ['without the permission', stored, { 'connections:write': undefined }],
  ])('is not offered %s', async (_when, entry, fewer) => {
    const operations = Object.fromEntries(
      Object.entries({ ...me.operations, ...fewer }).filter(([, scope]) => scope !== undefined),
    );
    await draw(
      '/connections/corp',
      answers({
        'GET me': () => ({ body: { ...me, operations } }),
        'GET connections/corp': () => ({ body: entry, etag: '"1"' }),
      }),
    );
    expect(textOf('main')).toContain('Display name');
    expect(textOf('main')).not.toContain('Replace the client secret');
  });
});

test('an imported file is checked first, and its faults are listed by line', async () => {
  const sent = await draw(
    '/import/users',
    answers({
      'POST users/import': () =>
        problem('invalid', 422, {
          errors: [{ line: 3, pointer: '/email', reason: 'must be an e-mail address' }],
        }),
    }),
  );
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error('No file input');
  const file = new File(['userName,email\nann,ann\n'], 'people.csv');
  Object.defineProperty(input, 'files', { value: [file] });
  input.dispatchEvent(new Event('change', { bubbles: true }));
  const row = await settle(() => document.querySelector('[data-row="3"]'));
  expect(row.textContent).toBe('3emailmust be an e-mail address');
  expect(sent.filter(({ path }) => path === 'users/import').map(({ dryRun }) => dryRun)).toEqual([true]);
  expect(() => requireButton('Write')).toThrow('No button');
});

test('an import is written with a second press, after the counts', async () => {
  const outcome = { added: ['a', 'b'], changed: [{ name: 'c', changes: {} }], unchanged: [] };
  const sent = await draw('/import/users', answers({ 'POST users/import': () => ({ body: outcome }) }));
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error('No file input');
  Object.defineProperty(input, 'files', { value: [new File(['[]'], 'people.json')] });
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await settle(() => document.body.textContent?.includes('2 new, 1 changed, 0 unchanged'));
  await press('Write');
  await settle(() => document.body.textContent?.includes('Written: 2 new'));
  expect(sent.filter(({ path }) => path === 'users/import').map(({ dryRun }) => dryRun)).toEqual([
    true,
    false,
  ]);
});

test('a resource that the actor may not read is a missing page', async () => {
  await draw('/clients', answers());
  expect(textOf('h1')).toBe('This page does not exist, or you do not have access to it.');
});
