import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { addUser } from '../../testing/add-user.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { secureRandom } from '../lib/random.ts';
import { createOneTimeCodes } from './one-time-codes.ts';
import type { CodeSubject } from './one-time-codes.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import { deleteExpired } from '../store/expired-rows.ts';

const key = createSecretKey(Buffer.alloc(32, 5));

describeStore('one-time codes', (store) => {
  const setUp = async () => {
    const { database } = store();
    const clock = movableClock();
    const node = (keyRing: KeyRing = [key]) =>
      createOneTimeCodes({ database, clock, random: secureRandom, keyRing });
    const subject: CodeSubject = {
      purpose: 'sign-in',
      boundTo: secureRandom.token(16),
      userId: await addUser(database, clock.now()),
      securityVersion: 0,
    };
    const codes = node();
    const issue = async (of: CodeSubject = subject): Promise<string> => {
      const issued = await codes.issue(of);
      if (typeof issued === 'string') throw new Error(issued);
      return issued.code;
    };
    return { database, clock, codes, node, otherNode: node(), subject, issue };
  };
  /** A code that differs from the given one. */
  const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  test('the right code is accepted once', async () => {
    const { codes, subject, issue } = await setUp();
    const code = await issue();
    expect(await codes.check(subject, code)).toBe('right');
    expect(await codes.check(subject, code)).toBe('used');
  });

  test('exactly one of 50 parallel checks of the right code on two nodes succeeds [S36]', async () => {
    const { codes, otherNode, subject, issue } = await setUp();
    const code = await issue();
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? codes : otherNode).check(subject, code)),
    );
    expect(results.filter((result) => result === 'right')).toHaveLength(1);
    expect(new Set(results)).toEqual(new Set(['right', 'used']));
  });

  test('a code can be checked 5 times, and the fifth wrong attempt is reported as the last [I36]', async () => {
    const { codes, subject, issue } = await setUp();
    const code = await issue();
    const results = [];
    for (let check = 0; check < 6; check += 1) results.push(await codes.check(subject, wrong(code)));
    expect(results).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'last-wrong', 'exhausted']);
    expect(await codes.check(subject, code)).toBe('exhausted');
  });

  test('at most 5 of 50 parallel guesses are evaluated [S35]', async () => {
    const { codes, otherNode, subject, issue, database } = await setUp();
    const code = await issue();
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? codes : otherNode).check(subject, wrong(code)),
      ),
    );
    expect(results.filter((result) => result === 'wrong')).toHaveLength(4);
    expect(results.filter((result) => result === 'last-wrong')).toHaveLength(1);
    const row = await database
      .selectFrom('one_time_codes')
      .select('checks')
      .where('bound_to', '=', subject.boundTo)
      .executeTakeFirstOrThrow();
    expect(row.checks).toBe(5);
    expect(await codes.check(subject, code)).toBe('exhausted');
  });

  test('a new code replaces the previous code without resetting the count', async () => {
    const { codes, subject, issue } = await setUp();
    const first = await issue();
    for (let check = 0; check < 3; check += 1) await codes.check(subject, wrong(first));
    const second = await issue();
    expect(await codes.check(subject, first === second ? wrong(second) : first)).toBe('wrong');
    expect(await codes.check(subject, wrong(second))).toBe('last-wrong');
    expect(await codes.check(subject, second)).toBe('exhausted');
    expect(await codes.issue(subject)).toBe('exhausted');
  });

  test('a password resets an exhausted code, but not a pending code', async () => {
    const { codes, subject, issue } = await setUp();
    const first = await issue();
    for (let check = 0; check < 4; check += 1) await codes.check(subject, wrong(first));
    await codes.beginAnew(subject);
    expect(await codes.check(subject, wrong(first))).toBe('last-wrong');
    await codes.beginAnew(subject);
    expect(await codes.check(subject, await issue())).toBe('right');
  });

  test('a code expires after 10 minutes by the service’s clock', async () => {
    const { codes, subject, issue, clock } = await setUp();
    const code = await issue();
    clock.advanceSeconds(10 * 60 - 1);
    expect(await codes.stateOf(subject)).toBe('awaited');
    clock.advanceSeconds(1);
    expect(await codes.stateOf(subject)).toBe('expired');
    expect(await codes.check(subject, code)).toBe('expired');
    const later = await issue();
    clock.advanceSeconds(10 * 60 - 1);
    expect(await codes.check(subject, later)).toBe('right');
  });

  test('a code is valid for its own sign-in and user only [S36]', async () => {
    const { codes, subject, issue, database, clock } = await setUp();
    const code = await issue();
    const otherUser = { ...subject, userId: await addUser(database, clock.now()) };
    const otherSignIn = { ...subject, boundTo: secureRandom.token(16) };
    expect(await codes.check(otherUser, code)).toBe('absent');
    expect(await codes.check(otherSignIn, code)).toBe('absent');
    await issue(otherSignIn);
    expect(await codes.check(otherSignIn, code)).not.toBe('right');
    expect(await codes.check(subject, code)).toBe('right');
  });

  test('withdrawing a code that was not sent restores the previous code', async () => {
    const { codes, subject, issue } = await setUp();
    const first = await issue();
    const second = await codes.issue(subject);
    if (typeof second === 'string') throw new Error(second);
    await second.withdraw();
    expect(await codes.check(subject, second.code === first ? wrong(first) : second.code)).toBe('wrong');
    expect(await codes.check(subject, first)).toBe('right');
  });

  test('withdrawing the first code leaves none', async () => {
    const { codes, subject } = await setUp();
    const issued = await codes.issue(subject);
    if (typeof issued === 'string') throw new Error(issued);
    await issued.withdraw();
    expect(await codes.check(subject, issued.code)).toBe('expired');
  });

  test('the database contains only a keyed hash of the code, bound to its subject', async () => {
    const { codes, subject, issue, database, node } = await setUp();
    const code = await issue();
    const rows = await database.selectFrom('one_time_codes').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(await node([createSecretKey(Buffer.alloc(32, 6))]).check(subject, code)).toBe('wrong');
    expect(await node([createSecretKey(Buffer.alloc(32, 6)), key]).check(subject, code)).toBe('right');
    expect(await codes.check(subject, code)).toBe('used');
  });

  test('pruning deletes codes an hour after their expiry, and not before', async () => {
    const { issue, clock } = await setUp();
    await deleteExpired(store().database, 'one_time_codes', clock.now());
    await issue();
    clock.advanceSeconds(60 * 60 - 1);
    expect(await deleteExpired(store().database, 'one_time_codes', clock.now())).toBe(0);
    clock.advanceSeconds(10 * 60 + 1);
    expect(await deleteExpired(store().database, 'one_time_codes', clock.now())).toBeGreaterThan(0);
  });
});

test('100,000 codes: all digits are equally likely in every position, leading zeros included [S40]', () => {
  const counts = Array.from({ length: 6 }, () => Array.from({ length: 10 }, () => 0));
  const codes = Array.from({ length: 100_000 }, () => secureRandom.digits(6));
  for (const code of codes) {
    for (const [place, digit] of code.split('').entries()) {
      const row = counts[place];
      if (row !== undefined) row[Number(digit)] = (row[Number(digit)] ?? 0) + 1;
    }
  }
  expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true);
  expect(codes.filter((code) => code.startsWith('0')).length).toBeGreaterThan(9000);
  const expected = codes.length / 10;
  for (const row of counts) {
    const chiSquare = row.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // The critical value for 9 degrees of freedom and p = 0.00001, so that false alarms are rare.
    expect(chiSquare).toBeLessThan(39.34);
  }
});
