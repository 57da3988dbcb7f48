import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { addUser } from '../../testing/add-user.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { secureRandom } from '../lib/random.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import { createAuthenticatorApps } from './authenticator-apps.ts';
import { codeOfStep, fromBase32, stepAt } from './time-based-codes.ts';

describeStore('authenticator apps', (store) => {
  const start = new Date('2026-11-23T08:00:00Z');

  async function open() {
    const clock = movableClock(start);
    const key = createSecretKey(secureRandom.bytes(32));
    const { database } = store();
    const apps = createAuthenticatorApps({
      database,
      clock,
      random: secureRandom,
      keyRing: [key],
      sealing: [key],
    });
    const userId = await addUser(database, start);
    const subject = { uid: secureRandom.token(8), userId, securityVersion: 0 };
    const { secret, recoveryCodes } = apps.offer(subject);
    const codeAt = (steps: number) => codeOfStep(fromBase32(secret), stepAt(clock.now()) + steps);
    const change = <Result>(make: (transaction: DatabaseTransaction) => Promise<Result>) =>
      database.transaction().execute(make);
    await change((transaction) => apps.setUp(transaction, subject, stepAt(clock.now())));
    return { apps, clock, userId, recoveryCodes, codeAt, change };
  }

  test('a time step is accepted once, no earlier step after it, and one step of clock difference to either side', async () => {
    const { apps, clock, userId, codeAt } = await open();
    expect(await apps.checkCode(userId, codeAt(0))).toBe('wrong');
    clock.advanceSeconds(300);
    expect(await apps.checkCode(userId, codeAt(2))).toBe('wrong');
    expect(await apps.checkCode(userId, codeAt(-1))).toBe('right');
    expect(await apps.checkCode(userId, codeAt(1))).toBe('right');
    for (const steps of [-1, 0, 1]) expect(await apps.checkCode(userId, codeAt(steps))).toBe('wrong');
  });

  test('one of 50 parallel uses of a time step, or of a recovery code, succeeds [S36]', async () => {
    const { apps, clock, userId, recoveryCodes, codeAt } = await open();
    clock.advanceSeconds(90);
    const checks = await Promise.all(Array.from({ length: 50 }, () => apps.checkCode(userId, codeAt(0))));
    expect(checks.filter((check) => check === 'right')).toHaveLength(1);
    const [code = ''] = recoveryCodes;
    const uses = await Promise.all(Array.from({ length: 50 }, () => apps.spendRecoveryCode(userId, code)));
    expect(uses.filter((left) => left !== undefined)).toEqual([9]);
  });

  test('every recovery code works once', async () => {
    const { apps, userId, recoveryCodes } = await open();
    const left = [];
    for (const code of recoveryCodes) left.push(await apps.spendRecoveryCode(userId, code));
    expect(left).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(await apps.describe(userId)).toMatchObject({ recoveryCodesLeft: 0 });
  });

  test('new recovery codes replace the remaining codes', async () => {
    const { apps, userId, recoveryCodes, change } = await open();
    const made = await change((transaction) => apps.renewRecoveryCodes(transaction, userId));
    expect(made).toHaveLength(10);
    expect(await apps.spendRecoveryCode(userId, recoveryCodes[0] ?? '')).toBeUndefined();
    expect(await apps.spendRecoveryCode(userId, made?.[0] ?? '')).toBe(9);
    const userWithoutApp = await addUser(store().database, start);
    expect(
      await change((transaction) => apps.renewRecoveryCodes(transaction, userWithoutApp)),
    ).toBeUndefined();
  });

  test('undoing a change revokes the new recovery codes and keeps an older app', async () => {
    const { apps, clock, userId, change } = await open();
    clock.advanceSeconds(10 * 24 * 60 * 60);
    const since = clock.now();
    const made = await change((transaction) => apps.renewRecoveryCodes(transaction, userId));
    expect(await change((transaction) => apps.remove(transaction, userId, since))).toBe(false);
    expect(await apps.spendRecoveryCode(userId, made?.[0] ?? '')).toBeUndefined();
    expect(await apps.describe(userId)).toEqual({ setUpAt: start, recoveryCodesLeft: 0 });
  });
});
