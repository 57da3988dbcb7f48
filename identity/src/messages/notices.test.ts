import { expect, test } from 'vitest';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { DeliveryError } from '../lib/delivery-error.ts';
import { createLog } from '../lib/log.ts';
import { secureRandom } from '../lib/random.ts';
import { createNotices } from './notices.ts';
import type { Mail } from './messages.ts';

const hourSeconds = 3600;
const mail: Mail = { to: 'someone@demo.example', subject: 'Changed', text: 'It was changed.' };
const away = new DeliveryError('unavailable', 'no answer', { mayHaveArrived: true });

describeStore('e-mail notices', (store) => {
  /** Creates a node of the service with a scripted mail server. */
  function node({ clock = movableClock() } = {}) {
    const { database } = store();
    const sent: (Mail & { id?: string })[] = [];
    const counted: string[] = [];
    const log: string[] = [];
    const server: { failure: unknown } = { failure: undefined };
    let waiting: number | undefined;
    const notices = createNotices({
      database,
      clock,
      random: secureRandom,
      log: createLog('info', { write: (line: string) => void log.push(line) }),
      mail: {
        send: (message) => {
          sent.push(message);
          return server.failure === undefined ? Promise.resolve() : Promise.reject(server.failure);
        },
        sendLater: () => undefined,
      },
      count: (outcome) => void counted.push(outcome),
      setWaiting: (count) => void (waiting = count),
    });
    return {
      ...notices,
      clock,
      sent,
      counted,
      log,
      server,
      waiting: () => waiting,
      keepOne: () => database.transaction().execute((transaction) => notices.keep(mail, transaction)),
      /** Sends the due notices and returns the outcomes. */
      sendDue: async () => {
        notices.sendDue();
        await notices.settle();
      },
    };
  }

  test('are sent once and then deleted', async () => {
    const { keepOne, sendDue, sent, counted, waiting } = node();
    await keepOne();
    await sendDue();
    await sendDue();
    expect(sent).toEqual([{ ...mail, id: expect.any(String) }]);
    expect(counted).toEqual(['sent']);
    expect(waiting()).toBe(0);
  });

  test('are stored in the transaction of the change, and rolled back with it [I16]', async () => {
    const { keep, sendDue, sent } = node();
    const broken = store()
      .database.transaction()
      .execute(async (transaction) => {
        await keep(mail, transaction);
        throw new Error('the change failed');
      });
    await expect(broken).rejects.toThrow('the change failed');
    await sendDue();
    expect(sent).toEqual([]);
  });

  test('are retried with growing intervals and the same id until the server is back [I16]', async () => {
    const { keepOne, sendDue, sent, counted, server, clock, waiting } = node();
    server.failure = away;
    await keepOne();
    await sendDue();
    for (const waitSeconds of [60, 120, 240]) {
      clock.advanceSeconds(waitSeconds - 1);
      await sendDue();
      clock.advanceSeconds(1);
      await sendDue();
    }
    expect(counted).toEqual(['put-off', 'put-off', 'put-off', 'put-off']);
    expect(waiting()).toBe(1);
    server.failure = undefined;
    clock.advanceSeconds(480);
    await sendDue();
    expect(counted.at(-1)).toBe('sent');
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  });

  test('are retried at least every hour and given up after twelve hours, with a log line and a count', async () => {
    const { keepOne, sendDue, counted, server, clock, log, waiting } = node();
    server.failure = away;
    await keepOne();
    for (let hour = 0; hour <= 12; hour += 1) {
      await sendDue();
      clock.advanceSeconds(hourSeconds);
    }
    expect(counted.filter((outcome) => outcome === 'put-off')).toHaveLength(12);
    expect(counted.at(-1)).toBe('given-up');
    expect(waiting()).toBe(0);
    expect(log.at(-1)).toContain('given-up');
    expect(log.join('')).not.toContain(mail.to);
  });

  test('are not retried after a permanent rejection', async () => {
    const { keepOne, sendDue, sent, counted, server, clock } = node();
    server.failure = new DeliveryError('invalid-recipient', 'SMTP 550');
    await keepOne();
    await sendDue();
    clock.advanceSeconds(hourSeconds);
    await sendDue();
    expect(counted).toEqual(['refused']);
    expect(sent).toHaveLength(1);
  });

  test('are sent by one of several nodes, and by another if that node stops [F10, I16]', async () => {
    const clock = movableClock();
    const [one, other] = [node({ clock }), node({ clock })];
    for (let count = 0; count < 30; count += 1) await one.keepOne();
    await Promise.all([one.sendDue(), other.sendDue()]);
    expect(new Set([...one.sent, ...other.sent].map(({ id }) => id)).size).toBe(30);
    expect(one.sent.length + other.sent.length).toBe(30);

    // a node takes the notice and stops before it sends the mail
    await one.keepOne();
    one.server.failure = new Error('killed');
    await one.sendDue();
    clock.advanceSeconds(60);
    await other.sendDue();
    expect(other.sent.at(-1)).toMatchObject(mail);
    expect(other.waiting()).toBe(0);
  });
});
