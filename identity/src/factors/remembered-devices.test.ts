import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { addUser } from '../../testing/add-user.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { secureRandom } from '../lib/random.ts';
import { raiseSecurityVersion } from '../users/users-store.ts';
import { createRememberedDevices } from './remembered-devices.ts';

const daySeconds = 24 * 60 * 60;

describeStore('remembered devices', (store) => {
  const setUp = async () => {
    const { database } = store();
    const clock = movableClock();
    const devices = createRememberedDevices({
      database,
      clock,
      random: secureRandom,
      keyRing: [createSecretKey(Buffer.alloc(32, 4))],
    });
    const remember = async (previous: string | undefined, id: string): Promise<string> =>
      (await devices.remember(previous, { id, securityVersion: 0 })) ?? '';
    return {
      database,
      clock,
      devices,
      remember,
      ada: await addUser(database, clock.now()),
      ben: await addUser(database, clock.now()),
    };
  };

  test('a device is remembered for its user for 30 days', async () => {
    const { devices, remember, clock, ada, ben } = await setUp();
    const token = await remember(undefined, ada);
    expect(await devices.isRemembered(token, ada)).toBe(true);
    expect(await devices.isRemembered(token, ben)).toBe(false);
    clock.advanceSeconds(30 * daySeconds - 1);
    expect(await devices.isRemembered(token, ada)).toBe(true);
    clock.advanceSeconds(1);
    expect(await devices.isRemembered(token, ada)).toBe(false);
  });

  test('invented, truncated and malformed cookies belong to no user', async () => {
    const { devices, remember, ada } = await setUp();
    const token = await remember(undefined, ada);
    for (const value of [
      undefined,
      '',
      'x'.repeat(43),
      token.slice(1),
      `${token}A`,
      `${token.slice(0, -1)}'`,
    ]) {
      expect(await devices.isRemembered(value, ada)).toBe(false);
    }
  });

  test('two users of one browser are both remembered', async () => {
    const { devices, remember, ada, ben } = await setUp();
    const first = await remember(undefined, ada);
    const second = await remember(first, ben);
    expect(await devices.isRemembered(second, ada)).toBe(true);
    expect(await devices.isRemembered(second, ben)).toBe(true);
  });

  test('a cookie that an attacker has set becomes invalid when the victim enters a code', async () => {
    const { devices, remember, ada, ben: attacker } = await setUp();
    const planted = await remember(undefined, attacker);
    const fresh = await remember(planted, ada);
    expect(fresh).not.toBe(planted);
    expect(await devices.isRemembered(planted, ada)).toBe(false);
    expect(await devices.isRemembered(planted, attacker)).toBe(false);
  });

  test('all devices of a user are forgotten at once, without affecting others', async () => {
    const { devices, remember, ada, ben } = await setUp();
    const tokens = [await remember(undefined, ada), await remember(undefined, ada)];
    const other = await remember(undefined, ben);
    expect(await devices.forgetAllOf(ada)).toBe(2);
    for (const token of tokens) expect(await devices.isRemembered(token, ada)).toBe(false);
    expect(await devices.isRemembered(other, ben)).toBe(true);
  });

  test('no device is remembered if the account has changed since it was read [S23]', async () => {
    const { database, devices, ada } = await setUp();
    await database.transaction().execute((transaction) => raiseSecurityVersion(transaction, ada));
    expect(await devices.remember(undefined, { id: ada, securityVersion: 0 })).toBeUndefined();
    expect(await devices.remember(undefined, { id: ada, securityVersion: 1 })).toBeDefined();
  });

  test('the database does not contain the cookie’s value of 256 bits', async () => {
    const { remember, database, ada } = await setUp();
    const token = await remember(undefined, ada);
    const rows = await database.selectFrom('remembered_devices').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  });
});
