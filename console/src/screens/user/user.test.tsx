import { expect, test } from 'vitest';
import { draw, fill, press, requireButton, settle, textOf } from '../../testing/draw.tsx';
import { createAnswers, dana, lockedStory, owner, problem, secretary } from '../../testing/stand-in.ts';

const address = '/users/dana-0001';

test('shows the verdict first, with its cause and its remedies as buttons', async () => {
  await draw(address, createAnswers(owner));
  const verdict = document.querySelector('[data-verdict="account-locked"]');
  expect(verdict?.textContent).toContain('refused after 5 wrong passwords');
  const remedies = [...(verdict?.querySelectorAll<HTMLElement>('[data-remedy]') ?? [])];
  expect(remedies.map(({ dataset }) => dataset['remedy'])).toEqual(['unlock', 'password-link']);
});

test('runs the remedy with one press, reads the verdict again and focuses the result', async () => {
  let isLocked = true;
  const sent = await draw(
    address,
    createAnswers(owner, {
      'GET users/dana-0001/story': () => ({
        body: isLocked
          ? lockedStory
          : { ...lockedStory, verdict: { cause: 'none', sentence: 'All is well.', remedies: [] } },
      }),
      'POST users/dana-0001/unlock': () => {
        isLocked = false;
        return { body: {} };
      },
    }),
  );
  await press('Unlock the account');
  const result = await settle(() => document.querySelector('[data-verdict="none"] [role="status"]'));
  expect(result.textContent).toBe('Done. The user can try again now.');
  expect(document.activeElement).toBe(result);
  expect(sent.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
    'users/dana-0001/unlock',
  ]);
});

test('a refused remedy says why, with the id for support', async () => {
  await draw(
    address,
    createAnswers(owner, {
      'POST users/dana-0001/unlock': () => problem('forbidden', 403),
    }),
  );
  await press('Unlock the account');
  const alert = await settle(() => document.querySelector('[role="alert"]'));
  expect(alert.textContent).toBe(
    'You do not have permission to do this.For questions to support: reference-1',
  );
});

test('leaves for a proof before the panel of a fresh operation opens, and sends nothing', async () => {
  const asked: string[] = [];
  location.assign = (to) => void asked.push(String(to));
  const sent = await draw(address, createAnswers({ ...owner, freshUntil: '2020-01-01T00:00:00.000Z' }));
  await press('Lost phone');
  expect(asked).toEqual(['/api/manage/proof?return=users%2Fdana-0001%3Fdo%3Dlost-phone']);
  expect(sent.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('an address opens a panel, but never starts its action', async () => {
  const sent = await draw(`${address}?do=lost-phone`, createAnswers(owner));
  await settle(() => document.querySelector('section li'));
  expect(sent.filter(({ method, dryRun }) => method !== 'GET' && !dryRun)).toEqual([]);
});

test('a lost phone shows what the dry run would remove, asks for the number that a board needs, and reports errors at the field', async () => {
  const answers: unknown[] = [];
  await draw(
    `${address}?do=lost-phone`,
    createAnswers(owner, {
      'POST users/dana-0001/lost-phone': ({ query, body }) => {
        if (query.has('dry-run'))
          return { body: { removed: ['app', 'computers'], sessions: 1, needsNumber: true } };
        answers.push(body);
        return problem('invalid', 422, {
          errors: [{ pointer: '/phoneNumber', reason: 'is the number of another user', code: 'taken' }],
        });
      },
    }),
  );
  await settle(() => document.querySelector('form'));
  expect(textOf('section[aria-label="Lost phone"] ul')).toBe(
    'the authenticator appthe devices that need no code',
  );
  fill('New phone number', ' 0123 ');
  await press('Confirm');
  const error = await settle(() => document.querySelector('[data-error]'));
  expect(error.textContent).toContain('Another user already has this.');
  expect(document.activeElement?.getAttribute('aria-describedby')).toContain(error.id);
  expect(answers).toEqual([{ phoneNumber: '0123', language: 'en' }]);
});

test('a change of details sends only what differs, with the version that was read', async () => {
  const sent = await draw(
    `${address}?do=details`,
    createAnswers(owner, { 'PATCH users/dana-0001': () => ({ body: {} }) }),
  );
  fill('Last name', 'Whitfield-Ng');
  await press('Save');
  await settle(() => document.querySelector('[data-verdict] [role="status"]'));
  const [patch] = sent.filter(({ method }) => method === 'PATCH');
  expect(patch).toMatchObject({ body: { lastName: 'Whitfield-Ng' }, ifMatch: '"1"' });
});

test('shows only the actions that the service permits on this account', async () => {
  const { factors: _factors, sessions: _sessions, ...reduced } = dana;
  await draw(
    address,
    createAnswers(secretary, {
      'GET users/dana-0001': () => ({
        body: { ...reduced, isManaged: false, may: ['users:help'] },
        etag: '"1"',
      }),
    }),
  );
  expect(() => requireButton('Lost phone')).toThrow('No button');
  expect(() => requireButton('Sign out everywhere')).toThrow('No button');
  expect(requireButton('Send a link for a new password')).toBeDefined();
  expect(document.body.textContent).toContain('This account also belongs to other boards.');
});

test('a user outside the reach of the actor is a missing page', async () => {
  await draw('/users/someone-else', createAnswers(secretary));
  expect(textOf('h1')).toBe('This page does not exist, or you do not have access to it.');
});
