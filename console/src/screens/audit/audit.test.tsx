import { expect, test } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { createAnswers, owner } from '../../testing/stand-in.ts';

const address = '/audit?user=dana&result=failure&since=24h';

test('the filters in the address are those of the request, the fields and the export', async () => {
  const sent = await draw(address, createAnswers(owner));
  const filters = { user: 'dana', result: 'failure', since: '24h' };
  const request = sent.find(({ path }) => path === 'audit');
  expect(Object.fromEntries(request?.query ?? [])).toEqual(filters);
  const form = document.querySelector<HTMLFormElement>('search form');
  const values = form ? [...new FormData(form)].filter(([, value]) => value !== '') : [];
  expect(Object.fromEntries(values)).toEqual(filters);
  expect(document.querySelector('a[download]')?.getAttribute('href')).toBe(
    '/api/manage/audit/export?user=dana&result=failure&since=24h&format=csv',
  );
});

test('the next page keeps the filters', async () => {
  await draw(
    address,
    createAnswers(owner, {
      'GET audit': () => ({ body: { items: [{ ...event, number: '12' }], next: 'cursor' } }),
    }),
  );
  const links = [...document.querySelectorAll('main a')].map((one) => one.getAttribute('href'));
  expect(links).toContain('/audit?user=dana&result=failure&since=24h&after=cursor');
});

const event = {
  at: '2026-11-26T09:14:00.000Z',
  event: 'password.check',
  result: 'failure',
  reason: 'wrong password',
  user: 'dana',
  userId: 'dana-0001',
  site: null,
  clientId: null,
  connection: null,
  address: null,
  correlationId: 'c-1',
  session: null,
  details: null,
};
