import { addSeconds } from '../lib/clock.ts';
import { keyedHash, keyedHashes } from '../lib/keyed-hash.ts';
import { tokenPattern } from '../lib/random.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { StoreContext } from '../store/store-context.ts';
import { rememberDeviceDays } from './code-limits.ts';

export const rememberDeviceSeconds = rememberDeviceDays * 24 * 60 * 60;

/** Private computers on which a user need not enter a code at each sign-in. */
export type RememberedDevices = {
  isRemembered: (token: string | undefined, userId: string) => Promise<boolean>;
  /**
   * Remembers the browser for the user, and returns the new cookie value. The old value becomes invalid, so that a
   * cookie which an attacker has set or copied is useless. Other users of the browser stay remembered. Returns
   * undefined and changes nothing if the account's security version has changed.
   */
  remember: (
    previousToken: string | undefined,
    account: { id: string; securityVersion: number },
  ) => Promise<string | undefined>;
  forgetAllOf: (userId: string, transaction?: DatabaseTransaction) => Promise<number>;
};

export function createRememberedDevices({
  database,
  clock,
  random,
  keyRing,
}: StoreContext): RememberedDevices {
  const hashed = (token: string): string => `device ${token}`;

  return {
    async isRemembered(token, userId) {
      if (token === undefined || !tokenPattern.test(token)) return false;
      const row = await database
        .selectFrom('remembered_devices')
        .select('user_id')
        .where('token_hash', 'in', keyedHashes(keyRing, hashed(token)))
        .where('user_id', '=', userId)
        .where('expires_at', '>', clock.now())
        .executeTakeFirst();
      return row !== undefined;
    },

    async remember(previousToken, { id: userId, securityVersion }) {
      const token = random.token();
      const tokenHash = keyedHash(keyRing, hashed(token));
      const now = clock.now();
      const isUnchanged = await database.transaction().execute(async (transaction) => {
        const held = await transaction
          .selectFrom('users')
          .select('id')
          .where('id', '=', userId)
          .where('status', '=', 'active')
          .where('security_version', '=', securityVersion)
          .forShare()
          .executeTakeFirst();
        if (held === undefined) return false;
        if (previousToken !== undefined && tokenPattern.test(previousToken)) {
          await transaction
            .updateTable('remembered_devices')
            .set({ token_hash: tokenHash })
            .where('token_hash', 'in', keyedHashes(keyRing, hashed(previousToken)))
            .execute();
        }
        const row = { created_at: now, expires_at: addSeconds(now, rememberDeviceSeconds) };
        await transaction
          .insertInto('remembered_devices')
          .values({ token_hash: tokenHash, user_id: userId, ...row })
          .onConflict((conflict) => conflict.columns(['token_hash', 'user_id']).doUpdateSet(row))
          .execute();
        return true;
      });
      return isUnchanged ? token : undefined;
    },

    async forgetAllOf(userId, transaction) {
      const { numDeletedRows } = await (transaction ?? database)
        .deleteFrom('remembered_devices')
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
