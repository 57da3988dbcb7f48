import { expect, test } from 'vitest';
import { draw, requireButton, settle, textOf } from '../../testing/draw.tsx';
import { createAnswers, owner, problem } from '../../testing/stand-in.ts';

test('a visitor without a session goes to the sign-in page, and returns to the same address', async () => {
  const asked: string[] = [];
  location.assign = (to) => void asked.push(String(to));
  history.replaceState(null, '', '/console/audit?user=dana');
  await draw(
    '/audit?user=dana',
    createAnswers(owner, { 'GET me': () => problem('sign-in-required', 401) }),
    'progress',
  );
  await settle(() => asked.length > 0);
  expect(asked).toEqual(['/api/manage/proof?return=audit%3Fuser%3Ddana']);
});

test('a user without a role reads that they look after no site', async () => {
  await draw('/', createAnswers(owner, { 'GET me': () => problem('forbidden', 403) }));
  expect(textOf('h1')).toBe('You are signed in, but you do not look after any board.');
});

test('an unexpected failure has the id for support and a way to try again', async () => {
  await draw('/audit', createAnswers(owner, { 'GET audit': () => problem('unexpected', 500) }));
  expect(textOf('[role="alert"]')).toContain('reference-1');
  expect(requireButton('Try again')).toBeDefined();
});

test('an unknown address is a missing page', async () => {
  await draw('/nowhere', createAnswers(owner));
  expect(textOf('h1')).toBe('This page does not exist, or you do not have access to it.');
});
