import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { addPerson } from '../../testing/add-person.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { parseConfig } from '../config.ts';
import { secureRandom } from '../lib/random.ts';
import { createCodeMessages } from './code-messages.ts';
import type { CodeMessages, Recipient } from './code-messages.ts';

const figures = parseConfig({}).codes;
let lastNumber = 0;
/** A range of its own for each, so that tests do not share a budget. */
const newNumber = (): string => `+${100_000 + (lastNumber += 1)}5550100`;

describeStore('messages with a code', (store) => {
  const world = async (changed: Partial<typeof figures> = {}) => {
    const { database } = store();
    const clock = movableClock();
    const node = () =>
      createCodeMessages(
        { database, clock, random: secureRandom, keyRing: [createSecretKey(Buffer.alloc(32, 3))] },
        { ...figures, ...changed },
      );
    const recipient: Recipient = {
      personId: await addPerson(database, clock.now()),
      phoneNumber: newNumber(),
    };
    return { database, clock, messages: node(), otherNode: node(), recipient };
  };
  const isSent = async (messages: CodeMessages, recipient: Recipient): Promise<boolean> =>
    !('waitSeconds' in (await messages.claim(recipient)));

  test('at least 30 seconds lie between two, and the wait is told', async () => {
    const { messages, recipient, clock } = await world();
    expect(await isSent(messages, recipient)).toBe(true);
    clock.advanceSeconds(12);
    expect(await messages.claim(recipient)).toEqual({ waitSeconds: 18, because: 'person' });
    clock.advanceSeconds(17);
    expect(await messages.claim(recipient)).toMatchObject({ waitSeconds: 1 });
    clock.advanceSeconds(1);
    expect(await isSent(messages, recipient)).toBe(true);
  });

  test('the wait that is named is the one that is enforced, whichever limit asks for the longest', async () => {
    const { messages, recipient, clock } = await world();
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
    // the fifth fills the ten minutes, which the first leaves after 600 seconds and the second 30 later
    expect(waits).toEqual([30, 30, 30, 30, 480, 30, 30]);
  });

  test('of 50 parallel requests on two nodes one is sent', async () => {
    const { messages, otherNode, recipient } = await world();
    const sent = await Promise.all(
      Array.from({ length: 50 }, (_, index) => isSent(index % 2 === 0 ? messages : otherNode, recipient)),
    );
    expect(sent.filter(Boolean)).toHaveLength(1);
  });

  test('whoever asks again and again: at most 5 in any 10 minutes and 10 in any day', async () => {
    const { messages, recipient, clock } = await world();
    const sentAtSeconds: number[] = [];
    let second = 0;
    while (second < 2 * 86_400) {
      if (await isSent(messages, recipient)) sentAtSeconds.push(second);
      // as often as may be for half an hour of each day
      const step = second % 86_400 < 1800 ? 30 : 900;
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
    expect(sentAtSeconds.slice(0, 6)).toEqual([0, 30, 60, 90, 120, 600]);
  });

  test('the tenth of a day is told to wait for hours, not for seconds', async () => {
    const { messages, recipient, clock } = await world();
    for (let sent = 0; sent < 10; sent += 1) {
      expect(await isSent(messages, recipient)).toBe(true);
      clock.advanceSeconds(150);
    }
    expect(await messages.claim(recipient)).toMatchObject({ waitSeconds: 86_400 - 1500 });
  });

  test('another number does not give a person more, nor another person a number', async () => {
    const { messages, recipient, database, clock } = await world();
    expect(await isSent(messages, recipient)).toBe(true);
    expect(await isSent(messages, { ...recipient, phoneNumber: newNumber() })).toBe(false);
    for (let sent = 1; sent < 10; sent += 1) {
      const personId = await addPerson(database, clock.now());
      expect(await isSent(messages, { ...recipient, personId })).toBe(true);
    }
    const eleventh = { ...recipient, personId: await addPerson(database, clock.now()) };
    expect(await messages.claim(eleventh)).toMatchObject({ because: 'number' });
  });

  test('a range of numbers that suddenly rises uses up its budget and not the others’ (attacks and faults, S39)', async () => {
    const { messages, database, clock } = await world({ perHourAndRange: 5 });
    const inRange = async (index: number): Promise<Recipient> => ({
      personId: await addPerson(database, clock.now()),
      phoneNumber: `+979123${String(index).padStart(4, '0')}`,
    });
    for (let index = 0; index < 5; index += 1)
      expect(await isSent(messages, await inRange(index))).toBe(true);
    expect(await messages.claim(await inRange(5))).toEqual({ waitSeconds: 3600, because: 'budget' });
    const elsewhere = { personId: await addPerson(database, clock.now()), phoneNumber: newNumber() };
    expect(await isSent(messages, elsewhere)).toBe(true);
    clock.advanceSeconds(3600);
    expect(await isSent(messages, await inRange(6))).toBe(true);
  });

  test('messages of the last hour are counted, over all numbers and for the busiest range', async () => {
    const { messages, database, clock } = await world();
    // the other tests share this store
    await database.deleteFrom('code_messages').execute();
    for (const phoneNumber of ['+9791240001', '+9791240002', newNumber()])
      await messages.claim({ personId: await addPerson(database, clock.now()), phoneNumber });
    expect(await messages.countLastHour()).toEqual({ all: 3, range: 2 });
    clock.advanceSeconds(3600);
    expect(await messages.countLastHour()).toEqual({ all: 0, range: 0 });
  });

  test('what certainly did not leave is not counted', async () => {
    const { messages, recipient } = await world();
    for (let round = 0; round < 20; round += 1) {
      const permit = await messages.claim(recipient);
      if ('waitSeconds' in permit) throw new Error('refused');
      await permit.release();
    }
    expect(await isSent(messages, recipient)).toBe(true);
  });

  test('the table has no phone number and forgets after a day', async () => {
    const { messages, recipient, database, clock } = await world();
    await messages.claim(recipient);
    const rows = await database.selectFrom('code_messages').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(recipient.phoneNumber.slice(1));
    clock.advanceSeconds(86_401);
    expect(await messages.prune()).toBeGreaterThan(0);
  });
});
