import { act } from 'react';
import { expect, test } from 'vitest';
import { announceProof } from './proof.ts';
import { draw, fill, press, settle, textOf } from './testing/draw.tsx';
import {
  connections,
  corp,
  createAnswers,
  dana,
  harborMembers,
  owner,
  problem,
  secretary,
} from './testing/stand-in.ts';
import type { Answers } from './testing/stand-in.ts';

const me = { ...owner, resources: { connections } };

type Case = {
  name: string;
  address: string;
  open?: string;
  label: string;
  typed: string;
  save: string;
  route: string;
  answers: Answers;
};

/** Every form, with the request that saves it. */
const forms: readonly Case[] = [
  {
    name: 'a new entry',
    address: '/new/connections',
    label: 'Display name',
    typed: 'Corporation',
    save: 'Create',
    route: 'POST connections',
    answers: { 'GET connections/corp': () => ({ body: corp, etag: '"1"' }) },
  },
  {
    name: 'the settings of an entry',
    address: '/connections/corp?do=edit',
    label: 'Display name',
    typed: 'Corporation',
    save: 'Save',
    route: 'PATCH connections/corp',
    answers: { 'GET connections/corp': () => ({ body: corp, etag: '"1"' }) },
  },
  {
    name: 'the details of a user',
    address: '/users/dana-0001?do=details',
    label: 'Last name',
    typed: 'Whitfield-Ng',
    save: 'Save',
    route: 'PATCH users/dana-0001',
    answers: {},
  },
  {
    name: 'a new number after a lost phone',
    address: '/users/dana-0001?do=lost-phone',
    label: 'New phone number',
    typed: '+442079460123',
    save: 'Confirm',
    route: 'POST users/dana-0001/lost-phone',
    answers: {},
  },
  {
    name: 'a new person',
    address: '/sites/harbor/people?do=add',
    label: 'E-mail',
    typed: 'ann@corp.example',
    save: 'Send',
    route: 'POST sites/harbor/people',
    answers: {},
  },
  {
    name: 'the label of a member',
    address: '/sites/harbor/people?do=dana-0001',
    label: 'Role on the board',
    typed: 'Vice chair',
    save: 'Save',
    route: 'PATCH sites/harbor/members/dana-0001',
    answers: {
      'GET sites/harbor/members/dana-0001': () => ({ body: harborMembers[0], etag: '"m1"' }),
    },
  },
  {
    name: 'a new role',
    address: '/roles?do=add',
    label: 'User name, e-mail or account',
    typed: 'dana',
    save: 'Add role',
    route: 'POST roles',
    answers: { 'GET roles': () => ({ body: { items: [], next: null } }) },
  },
];

const valueOf = (label: string): string | undefined => {
  const found = [...document.querySelectorAll('label')].find((one) => one.textContent === label);
  return (document.getElementById(found?.htmlFor ?? '') as HTMLInputElement | null)?.value;
};

test.each(forms)(
  'what was typed in $name stays while its user proves in another tab who it is',
  async ({ address, label, typed, save, route, answers }) => {
    let isProved = false;
    const sent = await draw(
      address,
      createAnswers(me, {
        ...answers,
        [route]: ({ query }) => {
          if (query.has('dry-run')) return { body: { removed: ['app'], sessions: 1, needsNumber: true } };
          return isProved
            ? { body: { added: ['corp'], changed: [], unchanged: [] } }
            : problem('proof-required', 401);
        },
      }),
    );
    await settle(() => document.querySelector('form button[type="submit"]'));
    fill(label, typed);
    await pressSubmit(save);
    const link = await settle(() => document.querySelector<HTMLAnchorElement>('[role="alert"] a'));
    expect(link.target).toBe('_blank');
    expect(link.getAttribute('href')).toBe('/api/manage/proof?return=confirmed');

    isProved = true;
    act(announceProof);
    await settle(() => textOf('form [role="status"]') !== '');
    expect(document.activeElement?.textContent).toBe(textOf('form [role="status"]'));
    expect(valueOf(label)).toBe(typed);
    await pressSubmit(save);
    await settle(() => sent.filter((one) => toRoute(one) === route && !one.dryRun).length === 2);
    expect(JSON.stringify(sent.findLast((one) => toRoute(one) === route)?.body)).toContain(typed);
  },
);

const toRoute = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

/** The button of the form, not one of the same name that opened it. */
async function pressSubmit(name: string): Promise<void> {
  const button = document.querySelector<HTMLButtonElement>(
    'form:not([class*="search"]) button[type="submit"]',
  );
  expect(button?.textContent).toBe(name);
  await act(async () => {
    button?.click();
    await Promise.resolve();
  });
}

test('the name of a user that another operator has changed stands beside the typed one', async () => {
  const sent = await draw(
    '/users/dana-0001?do=details',
    createAnswers(owner, {
      'PATCH users/dana-0001': ({ ifMatch }) =>
        ifMatch === '"2"'
          ? { body: {} }
          : problem('changed', 412, {
              present: { ...dana, lastName: 'Whitfield-Roe', email: 'new@corp.example' },
              etag: '"2"',
            }),
    }),
  );
  fill('Last name', 'Whitfield-Ng');
  await press('Save');
  const choice = await settle(() => document.querySelector('[data-conflict="lastName"]'));
  expect(choice.textContent).toContain('Take theirs: Whitfield-Roe');
  expect(document.querySelectorAll('[data-conflict]')).toHaveLength(1);
  expect(valueOf('Last name')).toBe('Whitfield-Ng');
  await press('Save');
  await settle(() => document.querySelector('[data-verdict] [role="status"]'));
  expect(sent.findLast(({ method }) => method === 'PATCH')).toMatchObject({ ifMatch: '"2"' });
  expect(sent.findLast(({ method }) => method === 'PATCH')?.body).toEqual({ lastName: 'Whitfield-Ng' });
});

test('the label of a member is compared with the stored one before it is written', async () => {
  const [member] = harborMembers;
  const sent = await draw(
    `/sites/harbor/people?do=dana-0001`,
    createAnswers(secretary, {
      'GET sites/harbor/members/dana-0001': () => ({
        body: { ...member, clientEntitlement: 'Treasurer' },
        etag: '"m2"',
      }),
      'PATCH sites/harbor/members/dana-0001': () => ({ body: {} }),
    }),
  );
  fill('Role on the board', 'Vice chair');
  await press('Save');
  const choice = await settle(() => document.querySelector('[data-conflict]'));
  expect(choice.textContent).toContain('Take theirs: Treasurer');
  expect(sent.filter(({ method }) => method === 'PATCH')).toEqual([]);
  await press('Save');
  await settle(() => document.querySelector('[role="status"]'));
  expect(sent.findLast(({ method }) => method === 'PATCH')).toMatchObject({
    body: { clientEntitlement: 'Vice chair' },
    ifMatch: '"m2"',
  });
});

test('a person who was added before the role was refused is not added again', async () => {
  let isProved = false;
  const sent = await draw(
    '/sites/harbor/people?do=add',
    createAnswers(secretary, {
      'POST sites/harbor/people': () => ({
        status: 201,
        body: { userId: 'new-00001', name: 'Ann Lee', isNew: true, mail: 'invitation' },
      }),
      'POST roles': () => (isProved ? { body: {} } : problem('proof-required', 401)),
    }),
  );
  fill('E-mail', 'ann@corp.example');
  fill('First name', 'Ann');
  fill('Last name', 'Lee');
  act(() => document.querySelector<HTMLInputElement>('[name="office"]')?.click());
  await press('Send');
  await settle(() => document.querySelector('[role="alert"]'));
  isProved = true;
  await press('Send');
  await settle(() => document.querySelector('[role="status"]'));
  const posted = sent.filter(({ method }) => method === 'POST').map(({ path }) => path);
  expect(posted).toEqual(['sites/harbor/people', 'roles', 'roles']);
});
