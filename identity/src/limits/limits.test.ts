import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { parseConfig } from '../config/config.ts';
import { secureRandom } from '../lib/random.ts';
import { deleteExpired } from '../store/expired-rows.ts';
import { createLimits } from './limits.ts';
import type { AttemptSubject } from './limits.ts';

const options = parseConfig({}).limits;
const keyRing = [createSecretKey(Buffer.alloc(32, 7))] as const;

describeStore('limits', (store) => {
  const setUp = (more: Partial<typeof options> = {}) => {
    const clock = movableClock();
    const dependencies = { database: store().database, clock, keyRing, countLimited: () => undefined };
    const node = () => createLimits(dependencies, { ...options, ...more });
    return { clock, limits: node(), otherNode: node() };
  };
  const subject = (more: Partial<AttemptSubject> = {}): AttemptSubject => ({
    kind: 'password',
    account: secureRandom.token(8),
    address: `2001:db8:${secureRandom.bytes(2).toString('hex')}:${secureRandom.bytes(2).toString('hex')}::1`,
    ...more,
  });
  const isLetIn = (attempt: Promise<unknown>): Promise<boolean> =>
    attempt.then(
      () => true,
      () => false,
    );

  test('at most 10 of 200 consecutive wrong passwords are tried in 15 minutes [I36, S30]', async () => {
    const { limits, clock } = setUp();
    const who = subject();
    const triedAtSeconds: number[] = [];
    for (let second = 0; second < 200 * 10; second += 10) {
      // Uses a different address for each attempt, like a distributed attack.
      if (await isLetIn(limits.attempt({ ...who, address: `198.51.100.${second % 250}` })))
        triedAtSeconds.push(second);
      clock.advanceSeconds(10);
    }
    for (const from of triedAtSeconds) {
      expect(
        triedAtSeconds.filter((second) => second >= from && second < from + 900).length,
      ).toBeLessThanOrEqual(10);
    }
    expect(triedAtSeconds.length).toBeGreaterThan(5);
  });

  test('the wait is returned, grows from one minute to fifteen, and also applies to the right password', async () => {
    const { limits, clock } = setUp();
    const who = subject();
    for (let failure = 0; failure < options.accountFreeFailures; failure += 1) await limits.attempt(who);
    for (const waitSeconds of [60, 120, 240, 480, 900, 900]) {
      await expect(limits.attempt(who)).rejects.toMatchObject({
        code: 'rate_limit_reached',
        status: 429,
        retryAfterSeconds: waitSeconds,
      });
      clock.advanceSeconds(waitSeconds - 1);
      await expect(limits.attempt(who)).rejects.toMatchObject({ retryAfterSeconds: 1 });
      clock.advanceSeconds(1);
      await limits.attempt(who);
    }
  });

  test('of a burst of 100 attempts on two nodes, no more are permitted than of sequential attempts [S31]', async () => {
    const { limits, otherNode } = setUp();
    const who = subject();
    const letIn = await Promise.all(
      Array.from({ length: 100 }, (_, index) => isLetIn((index % 2 === 0 ? limits : otherNode).attempt(who))),
    );
    expect(letIn.filter(Boolean)).toHaveLength(options.accountFreeFailures);
  });

  test('a success resets the account’s count and reverts the count of the address', async () => {
    const { limits } = setUp();
    const who = subject();
    for (let round = 0; round < 110; round += 1) await (await limits.attempt(who)).succeeded();
    for (let failure = 1; failure < options.accountFreeFailures; failure += 1) await limits.attempt(who);
    await (await limits.attempt(who)).succeeded();
    expect(await isLetIn(limits.attempt(who))).toBe(true);
  });

  test('an attempt without a result is reverted', async () => {
    const { limits } = setUp();
    const who = subject();
    for (let round = 0; round < 110; round += 1) await (await limits.attempt(who)).withdraw();
    for (let failure = 0; failure < options.accountFreeFailures; failure += 1) {
      expect(await isLetIn(limits.attempt(who))).toBe(true);
    }
    expect(await isLetIn(limits.attempt(who))).toBe(false);
  });

  test('a success on another account has no effect [S33]', async () => {
    const { limits } = setUp();
    const who = subject();
    for (let failure = 0; failure < options.accountFreeFailures; failure += 1) {
      await limits.attempt(who);
      await (await limits.attempt(subject({ address: who.address }))).succeeded();
    }
    expect(await isLetIn(limits.attempt(who))).toBe(false);
  });

  test('after 100 consecutive failures only a reset unlocks the account, however long it is idle [S30]', async () => {
    const { limits, clock } = setUp();
    const who = subject();
    for (let failure = 0; failure < options.accountConsecutiveFailures; failure += 1) {
      await limits.attempt({ ...who, address: `203.0.113.${failure}` });
      clock.advanceSeconds(options.accountLongestWaitSeconds);
    }
    clock.advanceSeconds(400 * 24 * 3600);
    await deleteExpired(store().database, 'limits', clock.now());
    await expect(limits.attempt(who)).rejects.toMatchObject({ retryAfterSeconds: 900 });
    await limits.forgive('password', who.account);
    expect(await isLetIn(limits.attempt(who))).toBe(true);
  });

  test('one password on 1,000 accounts: the address is rejected after 100 failures in an hour, and no further account is counted [S32]', async () => {
    const { limits, clock } = setUp();
    const { address } = subject();
    for (let failure = 0; failure < options.addressFailures; failure += 1)
      await limits.attempt(subject({ address }));
    const spared = subject({ address });
    clock.advanceSeconds(600);
    for (let refused = 0; refused < 20; refused += 1) {
      await expect(limits.attempt(spared)).rejects.toMatchObject({ retryAfterSeconds: 3000 });
    }
    expect(await isLetIn(limits.attempt({ ...spared, address: subject().address }))).toBe(true);
    clock.advanceSeconds(3000);
    expect(await isLetIn(limits.attempt({ ...spared, address }))).toBe(true);
  });

  test('another host of the same /64 counts as the same address', async () => {
    const { limits } = setUp();
    const { address } = subject();
    for (let failure = 0; failure < options.addressFailures; failure += 1)
      await limits.attempt(subject({ address }));
    expect(await isLetIn(limits.attempt(subject({ address: `${address}23` })))).toBe(false);
  });

  test('an attacker with 65,536 networks of one /48 gets ten times the failures of an address, across all nodes [S32]', async () => {
    const { limits, otherNode } = setUp();
    const network = `2001:db8:${secureRandom.bytes(2).toString('hex')}`;
    const letIn = await Promise.all(
      Array.from({ length: 10 * options.addressFailures + 50 }, (_, index) =>
        isLetIn(
          (index % 2 === 0 ? limits : otherNode).attempt(subject({ address: `${network}:${index}::1` })),
        ),
      ),
    );
    expect(letIn.filter(Boolean)).toHaveLength(10 * options.addressFailures);
    const refused = limits.attempt(subject({ address: `${network}:ffff::1` }));
    await expect(refused).rejects.toMatchObject({ retryAfterSeconds: options.addressWindowSeconds });
    expect(await isLetIn(limits.attempt(subject({ address: `${network.slice(0, -1)}:1::1` })))).toBe(true);
  });

  test('an exhausted /64 no longer counts against its /48', async () => {
    const { limits, otherNode } = setUp();
    const network = `2001:db8:${secureRandom.bytes(2).toString('hex')}`;
    for (let failure = 0; failure < 11 * options.addressFailures; failure += 1)
      await isLetIn(
        (failure % 2 === 0 ? limits : otherNode).attempt(subject({ address: `${network}:1::1` })),
      );
    expect(await isLetIn(limits.attempt(subject({ address: `${network}:2::1` })))).toBe(true);
  });

  test('success and withdrawal revert the count of a /48', async () => {
    const { limits } = setUp({ addressFailures: 2 });
    const network = `2001:db8:${secureRandom.bytes(2).toString('hex')}`;
    for (let round = 0; round < 10 * 2 + 2; round += 1) {
      const attempt = await limits.attempt(subject({ address: `${network}:${round}::1` }));
      await (round % 2 === 0 ? attempt.succeeded() : attempt.withdraw());
    }
    expect(await isLetIn(limits.attempt(subject({ address: `${network}:ffff::1` })))).toBe(true);
  });

  test('failures of others do not lock a user out of a known browser [S34]', async () => {
    const { limits } = setUp();
    const who = subject();
    for (let failure = 0; failure < options.accountFreeFailures; failure += 1) await limits.attempt(who);
    expect(await isLetIn(limits.attempt(who))).toBe(false);
    expect(await isLetIn(limits.attempt({ ...who, knownBrowser: 'the kitchen laptop' }))).toBe(true);
  });

  test('the table contains no names, and pruning bounds its size', async () => {
    const { limits, clock } = setUp();
    const { database } = store();
    await limits.attempt(subject({ account: 'director@demo.example', address: '192.0.2.200' }));
    const rows = await database.selectFrom('limits').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/director|192\.0\.2\.200/);
    clock.advanceSeconds(31 * 24 * 3600);
    expect(await deleteExpired(database, 'limits', clock.now())).toBeGreaterThan(0);
  });
});
