import { expect, test } from 'vitest';
import { draw, fill, press, requireButton, settle, textOf } from '../../testing/draw.tsx';
import { createAnswers, harborMembers, problem, secretary } from '../../testing/stand-in.ts';

const address = '/sites/harbor/people';
const rowOf = (name: string): string => textOf(`[data-row="${name}"]`);

test('each row says the state of its invitation', async () => {
  await draw(address, createAnswers(secretary));
  expect(rowOf('dana')).toContain('Active');
  expect(rowOf('ines')).toContain('Invitation expired on 3 Mar 2026');
  expect(rowOf('secretary@demo.example')).toContain('Board office');
});

test('an expired invitation is sent again with one press', async () => {
  const sent = await draw(address, createAnswers(secretary));
  await press('Send again');
  const result = await settle(() => document.querySelector('[role="status"]'));
  expect(result.textContent).toBe('The invitation was sent to ines@corp.example.');
  expect(sent.find(({ method }) => method === 'POST')).toMatchObject({
    path: 'users/ines-0001/invite',
    body: { language: 'en' },
  });
});

test('a removed member can be restored with the same label', async () => {
  let members = harborMembers;
  const sent = await draw(
    address,
    createAnswers(secretary, {
      'GET sites/harbor/members': () => ({ body: { items: members, next: null } }),
      'DELETE sites/harbor/members/dana-0001': () => {
        members = members.filter(({ userName }) => userName !== 'dana');
        return { body: { removed: ['dana'], deleted: {}, kept: [] } };
      },
      'POST sites/harbor/members': () => {
        members = harborMembers;
        return { status: 201, body: {} };
      },
    }),
  );
  await press('More for Dana Whitfield');
  await press('Remove from the board');
  await settle(() => !document.querySelector('[data-row="dana"]'));
  const result = await settle(() => document.querySelector('[role="status"]'));
  expect(result.textContent).toContain('Dana Whitfield was removed and no longer has access.');
  await press('Undo');
  await settle(() => document.querySelector('[data-row="dana"]'));
  expect(sent.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { userName: 'dana-0001', clientEntitlement: 'Chair', entitlementRequirementsMet: true },
  ]);
});

test('a person is added with an e-mail, and an error stands at its field', async () => {
  let isNamed = false;
  const sent = await draw(
    address,
    createAnswers(secretary, {
      'POST sites/harbor/people': () =>
        isNamed
          ? { status: 201, body: { userId: 'new-00001', name: 'Ann Lee', isNew: true, mail: 'invitation' } }
          : problem('invalid', 422, {
              errors: [{ pointer: '/firstName', reason: 'is required', code: 'required' }],
            }),
    }),
  );
  await press('Add person');
  fill('E-mail', 'ann@corp.example');
  await press('Send');
  const error = await settle(() => document.querySelector('[data-error]'));
  expect(error.textContent).toBe('Please fill in this field.');
  expect(document.activeElement?.getAttribute('name')).toBe('firstName');
  isNamed = true;
  fill('First name', 'Ann');
  fill('Last name', 'Lee');
  await press('Send');
  const result = await settle(() => document.querySelector('[role="status"]'));
  expect(result.textContent).toBe(
    'Ann Lee was added to the board. The invitation was sent to ann@corp.example.',
  );
  expect(sent.filter(({ method }) => method === 'POST').at(-1)?.body).toEqual({
    email: 'ann@corp.example',
    firstName: 'Ann',
    lastName: 'Lee',
  });
});

test('the board office of a board is changed after a question', async () => {
  const role = { id: 'role-1', role: 'administrator', site: 'harbor', userId: 'sam-00001' };
  const sent = await draw(
    address,
    createAnswers(secretary, {
      'GET roles': () => ({ body: { items: [role], next: null } }),
      'DELETE roles/role-1': () => ({ body: { removed: [], deleted: {}, kept: [] } }),
    }),
  );
  await press('More for Sam Secretary');
  await press('Remove from the board office');
  expect(sent.filter(({ method }) => method === 'DELETE')).toEqual([]);
  await press('Remove from the board office');
  const result = await settle(() => document.querySelector('[role="status"]'));
  expect(result.textContent).toBe('Sam Secretary is no longer in the board office.');
});

test('an auditor of the board sees no action', async () => {
  const {
    'members:write': _write,
    'users:help': _help,
    'roles:write': _roles,
    ...operations
  } = secretary.operations;
  await draw(address, createAnswers({ ...secretary, operations }));
  expect(() => requireButton('Add person')).toThrow('No button');
  expect(() => requireButton('Send again')).toThrow('No button');
  expect(() => requireButton('More for Dana Whitfield')).toThrow('No button');
});

test('the pages of a board are in the language of the visitor, Arabic from right to left', async () => {
  document.cookie = 'anteroom_locale=ar';
  await draw(address, createAnswers(secretary));
  expect(document.documentElement.dir).toBe('rtl');
  expect(requireButton('إضافة شخص')).toBeDefined();
  document.cookie = 'anteroom_locale=; Max-Age=0';
});
