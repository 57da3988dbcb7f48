import { act } from 'react';
import { expect, test } from 'vitest';
import { draw, fill, settle, textOf } from '../../testing/draw.tsx';
import { createAnswers, dana, owner, secretary } from '../../testing/stand-in.ts';
import type { Answer } from '../../testing/stand-in.ts';

const submitSearch = (): void =>
  act(() => {
    document
      .querySelector('search form')
      ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  });

test('the search has the focus, and Enter opens the first match before the matches are shown', async () => {
  await draw('/', createAnswers(owner));
  expect(document.activeElement?.id).toBe('search');
  fill('Name, e-mail, account or reference', 'dan');
  submitSearch();
  await settle(() => document.querySelector('[data-verdict]'));
  expect(textOf('h1')).toBe('Dana Whitfield');
});

test('a text that is in none of the names opens that attempt', async () => {
  const sent = await draw(
    '/',
    createAnswers(owner, { 'GET users': () => ({ body: { items: [dana], next: null } }) }),
  );
  fill('Name, e-mail, account or reference', 'f3b0c442');
  submitSearch();
  await settle(() => document.querySelector('[data-verdict]'));
  const story = sent.find(({ path }) => path.endsWith('/story'));
  expect(story?.query.get('correlation')).toBe('f3b0c442');
});

test('matches are rows with a link', async () => {
  await draw('/?search=dana', createAnswers(owner));
  expect(document.querySelector('[data-row="dana"] a')?.getAttribute('href')).toBe('/users/dana-0001');
});

test('no match says so in one sentence', async () => {
  await draw('/?search=zz', createAnswers(owner));
  expect(document.body.textContent).toContain('No user matches “zz”.');
});

test('the overview links to what needs a hand', async () => {
  await draw('/', createAnswers(owner));
  await settle(() => document.querySelector('[data-row="connections/corp"]'));
  expect(document.querySelector('[data-row="connections/corp"] a')?.getAttribute('href')).toBe(
    '/connections/corp',
  );
});

test('the search does not wait for the overview', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  await draw('/', createAnswers(owner, { 'GET overview': () => promise }));
  expect(document.activeElement?.id).toBe('search');
  resolve({ body: { items: [] } });
  await settle(() => document.body.textContent?.includes('Nothing needs'));
});

test('the board office of one site starts on it, without navigation', async () => {
  await draw('/', createAnswers(secretary));
  expect(textOf('h1')).toBe('Harbor Trust');
  expect([...document.querySelectorAll('nav')].map((one) => one.getAttribute('aria-label'))).toEqual([
    'Pages of Harbor Trust',
  ]);
});
