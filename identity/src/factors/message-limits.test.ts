import { resendWaitSeconds } from '@anteroom/contract';
import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { addUser } from '../../testing/add-user.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { parseConfig } from '../config/config.ts';
import { secureRandom } from '../lib/random.ts';
import { deleteExpired } from '../store/expired-rows.ts';
import { createMessageLimits } from './message-limits.ts';
import type { MessageLimits, Recipient } from './message-limits.ts';
import { rangeOf } from './phone-number.ts';

const options = parseConfig({}).codes;
let lastNumber = 0;
const numberOf = (address: string) => ({ kind: 'phone number', address, range: rangeOf(address) }) as const;

/** Each number has its own range, so that tests do not share a budget. */
const newNumber = (): string => `+${100_000 + (lastNumber += 1)}5550100`;

describeStore('messages with a code', (store) => {
  const setUp = async (changed: Partial<typeof options> = {}) => {
    const { database } = store();
    const clock = movableClock();
    const node = () =>
      createMessageLimits(
        { database, clock, random: secureRandom, keyRing: [createSecretKey(Buffer.alloc(32, 3))] },
        { ...options, ...changed },
      );
    const recipient: Recipient = {
      userId: await addUser(database, clock.now()),
      ...numberOf(newNumber()),
    };
    return { database, clock, messages: node(), otherNode: node(), recipient };
  };
  const isSent = async (messages: MessageLimits, recipient: Recipient): Promise<boolean> =>
    !('waitSeconds' in (await messages.claim(recipient)));

  test('rejects a second message during the resend wait, and reports the remaining seconds [I36]', async () => {
    const { messages, recipient, clock } = await setUp();
    expect(await isSent(messages, recipient)).toBe(true);
    clock.advanceSeconds(resendWaitSeconds - 18);
    expect(await messages.claim(recipient)).toEqual({ waitSeconds: 18, because: 'user' });
    clock.advanceSeconds(17);
    expect(await messages.claim(recipient)).toMatchObject({ waitSeconds: 1 });
    clock.advanceSeconds(1);
    expect(await isSent(messages, recipient)).toBe(true);
  });

  test('the reported wait is the enforced wait, whichever limit has the longest wait [S38]', async () => {
    const { messages, recipient, clock } = await setUp();
    const waits: number[] = [];
    for (let sent = 0; sent < 7; sent += 1) {
      expect(await messages.waitSeconds(recipient)).toBe(0);
      expect(await isSent(messages, recipient)).toBe(true);
      const waitSeconds = await messages.waitSeconds(recipient);
      waits.push(waitSeconds);
      clock.advanceSeconds(waitSeconds - 1);
      expect(await messages.claim(recipient)).toMatchObject({ waitSeconds: 1 });
      clock.advanceSeconds(1);
    }
    // The fifth message exhausts the limit of ten minutes. The first message leaves that window after 600 seconds.
    const wait = resendWaitSeconds;
    expect(waits).toEqual([wait, wait, wait, wait, 600 - 4 * wait, wait, wait]);
  });

  test('one of 50 parallel requests on two nodes is sent', async () => {
    const { messages, otherNode, recipient } = await setUp();
    const sent = await Promise.all(
      Array.from({ length: 50 }, (_, index) => isSent(index % 2 === 0 ? messages : otherNode, recipient)),
    );
    expect(sent.filter(Boolean)).toHaveLength(1);
  });

  test('repeated requests get at most 5 messages in any 10 minutes and 10 in any day [S38]', async () => {
    const { messages, recipient, clock } = await setUp();
    const sentAtSeconds: number[] = [];
    let second = 0;
    while (second < 2 * 86_400) {
      if (await isSent(messages, recipient)) sentAtSeconds.push(second);
      // For half an hour of each day, requests are sent at the maximum rate.
      const step = second % 86_400 < 1800 ? resendWaitSeconds : 900;
      clock.advanceSeconds(step);
      second += step;
    }
    for (const from of sentAtSeconds) {
      const within = (seconds: number): number =>
        sentAtSeconds.filter((second) => second >= from && second < from + seconds).length;
      expect(within(600)).toBeLessThanOrEqual(5);
      expect(within(86_400)).toBeLessThanOrEqual(10);
    }
    expect(sentAtSeconds.length).toBeGreaterThan(15);
    const inTenMinutes = [0, 1, 2, 3, 4].map((sent) => sent * resendWaitSeconds);
    const afterThem = Math.ceil(600 / resendWaitSeconds) * resendWaitSeconds;
    expect(sentAtSeconds.slice(0, 6)).toEqual([...inTenMinutes, afterThem]);
  });

  test('after ten messages in a day, reports the time until the first message is a day old', async () => {
    const { messages, recipient, clock } = await setUp();
    for (let sent = 0; sent < 10; sent += 1) {
      expect(await isSent(messages, recipient)).toBe(true);
      clock.advanceSeconds(150);
    }
    expect(await messages.claim(recipient)).toMatchObject({ waitSeconds: 86_400 - 1500 });
  });

  test('changing the number does not raise the limit of the user, and changing the user does not raise the limit of the number', async () => {
    const { messages, recipient, database, clock } = await setUp();
    expect(await isSent(messages, recipient)).toBe(true);
    expect(await isSent(messages, { ...recipient, ...numberOf(newNumber()) })).toBe(false);
    for (let sent = 1; sent < 10; sent += 1) {
      const userId = await addUser(database, clock.now());
      expect(await isSent(messages, { ...recipient, userId })).toBe(true);
    }
    const eleventh = { ...recipient, userId: await addUser(database, clock.now()) };
    expect(await messages.claim(eleventh)).toMatchObject({ because: 'number' });
  });

  test('a burst to one range of numbers uses up only the budget of that range [S39]', async () => {
    const { messages, database, clock } = await setUp({ perHourAndRange: 5 });
    const inRange = async (index: number): Promise<Recipient> => ({
      userId: await addUser(database, clock.now()),
      ...numberOf(`+979123${String(index).padStart(4, '0')}`),
    });
    for (let index = 0; index < 5; index += 1)
      expect(await isSent(messages, await inRange(index))).toBe(true);
    expect(await messages.claim(await inRange(5))).toEqual({ waitSeconds: 3600, because: 'budget' });
    const elsewhere = { userId: await addUser(database, clock.now()), ...numberOf(newNumber()) };
    expect(await isSent(messages, elsewhere)).toBe(true);
    clock.advanceSeconds(3600);
    expect(await isSent(messages, await inRange(6))).toBe(true);
  });

  test('of 30 parallel messages to 30 users in one range, exactly as many are sent as its budget allows [S39]', async () => {
    const { messages, database, clock } = await setUp({ perHourAndRange: 5 });
    const recipients = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => ({
        userId: await addUser(database, clock.now()),
        ...numberOf(`+979125${String(index).padStart(4, '0')}`),
      })),
    );
    const sent = await Promise.all(recipients.map((recipient) => isSent(messages, recipient)));
    expect(sent.filter(Boolean)).toHaveLength(5);
  });

  test('counts the messages of the last hour, in total and for the busiest range', async () => {
    const { messages, database, clock } = await setUp();
    // Deletes the messages of other tests, which share this store.
    await database.deleteFrom('code_messages').execute();
    for (const number of ['+9791240001', '+9791240002', newNumber()])
      await messages.claim({ userId: await addUser(database, clock.now()), ...numberOf(number) });
    expect(await messages.countLastHour()).toEqual({ all: 3, range: 2 });
    clock.advanceSeconds(3600);
    expect(await messages.countLastHour()).toEqual({ all: 0, range: 0 });
  });

  test('counts mails apart from text messages, and against no budget', async () => {
    const { messages, recipient, database } = await setUp({ perHour: 1 });
    // Deletes the messages of other tests, which share this store.
    await database.deleteFrom('code_messages').execute();
    const mail = { ...recipient, kind: 'e-mail address', address: 'dana@corp.example', range: '' } as const;
    expect(await isSent(messages, recipient)).toBe(true);
    expect(await isSent(messages, mail)).toBe(true);
    expect(await messages.claim(mail)).toMatchObject({ because: 'user' });
    expect((await messages.countLastHour()).all).toBe(1);
  });

  test('a message that certainly was not sent is not counted', async () => {
    const { messages, recipient } = await setUp();
    for (let round = 0; round < 20; round += 1) {
      const permit = await messages.claim(recipient);
      if ('waitSeconds' in permit) throw new Error('refused');
      await permit.release();
    }
    expect(await isSent(messages, recipient)).toBe(true);
  });

  test('the table contains no phone number, and its rows are deleted after a day', async () => {
    const { messages, recipient, database, clock } = await setUp();
    await messages.claim(recipient);
    const rows = await database.selectFrom('code_messages').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(recipient.address.slice(1));
    clock.advanceSeconds(86_401);
    expect(await deleteExpired(database, 'code_messages', clock.now())).toBeGreaterThan(0);
  });
});
