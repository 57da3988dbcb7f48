import { expect, test } from 'vitest';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { secureRandom } from '../lib/random.ts';
import { deleteExpired } from '../store/expired-rows.ts';
import { createMessages } from './create-messages.ts';
import { findCode, renderOutboxPage } from './outbox.ts';
import { listOutbox } from './outbox-store.ts';

describeStore('the outbox', (store) => {
  const setUp = () => {
    const clock = movableClock();
    const counted: string[] = [];
    const { database } = store();
    const messages = createMessages({
      config: { messages: { sms: { kind: 'outbox' }, mail: { kind: 'outbox' }, timeZone: 'UTC' } },
      database,
      clock,
      random: secureRandom,
      noteBounces: (sender) => sender,
      count: (kind, outcome) => counted.push(`${kind} ${outcome}`),
    });
    return { ...messages, clock, counted, database };
  };

  test('stores messages instead of sending them, lists the newest first, and deletes them after a day', async () => {
    const { sms, mail, clock, counted, database } = setUp();
    await sms.send({ to: '+442079460142', text: 'first' });
    await mail.send({ to: 'director@demo.example', subject: 'Second', text: 'second' });
    clock.advanceSeconds(60);
    await sms.send({ to: '+442079460142', text: 'third' });

    const [third, second, first] = await listOutbox(database);
    expect(third).toMatchObject({ kind: 'sms', to: '+442079460142', text: 'third', createdAt: clock.now() });
    expect(second).toMatchObject({ kind: 'mail', subject: 'Second', text: 'second' });
    expect(first).toMatchObject({ text: 'first', subject: undefined });
    expect(counted).toEqual(['sms sent', 'mail sent', 'sms sent']);

    clock.advanceSeconds(24 * 3600 - 30);
    expect(await deleteExpired(database, 'outbox', clock.now())).toBe(2);
    expect((await listOutbox(database)).map(({ text }) => text)).toEqual(['third']);
  });
});

const ownScript = '<script src="/dev/outbox.js" defer></script>';

const message = {
  id: 'm1',
  kind: 'sms',
  to: '+442079460142',
  subject: undefined,
  text: '048213 is your sign-in code.\n\n@localhost #048213',
  html: undefined,
  createdAt: new Date('2026-01-15T09:00:00.000Z'),
} as const;

test('the page marks each message and its code for automated tests', () => {
  const page = renderOutboxPage([message]);
  expect(page).toContain('<article data-message="sms" data-to="+442079460142"');
  expect(page).toContain('<code data-code>048213</code>');
  expect(findCode('Your number is 123456.')).toBeUndefined();
});

test('a URL in a message is a link to that URL', () => {
  const text = 'Go on here:\nhttps://id.example/ui/recovery/new-password?a=1&b=2#tok\nBye.';
  expect(renderOutboxPage([{ ...message, kind: 'mail', text }])).toContain(
    '<a data-link href="https://id.example/ui/recovery/new-password?a=1&amp;b=2#tok" rel="noreferrer">',
  );
});

test('markup in a message is escaped on the page [S07]', () => {
  const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)> javascript:alert(1) https://x/"onclick="alert(1)`;
  const page = renderOutboxPage([{ ...message, to: evil, subject: evil, text: evil }]);
  expect(page.replace(ownScript, '')).not.toMatch(/<script|<img|onclick="|href="javascript/);
});

test('the page complies with the content security policy: no inline script and no inline style', () => {
  const page = renderOutboxPage([message]);
  expect(page).toContain(ownScript);
  expect(page.replace(ownScript, '')).not.toMatch(/<script|<style|style=|\son\w+=/);
});
