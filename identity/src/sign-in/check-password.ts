import type { Exchange } from '../http/exchange.ts';
import type { Attempt } from '../limits/limits.ts';
import type { User } from '../users/users-store.ts';
import type { SignInServices } from './sign-in-services.ts';

type CheckedPassword = {
  matches: boolean;
  /** Counted as a failure until the caller reports a success. */
  attempt: Attempt;
  /** Stores a hash of the same password with the current parameters, unless the password has changed since. */
  renewHash: () => Promise<void>;
};

/**
 * The only function that checks a user's password. `account` is the key for the limits, also for an unknown user name,
 * which causes the same work (attacks and faults, S26, S27).
 * @throws `rate_limit_reached`, `overloaded`
 */
export async function checkPassword(
  {
    limits,
    passwords,
    knownBrowsers,
    database,
  }: Pick<SignInServices, 'limits' | 'passwords' | 'knownBrowsers' | 'database'>,
  {
    account,
    user,
    password,
  }: { account: string; user: Pick<User, 'id' | 'passwordHash'> | undefined; password: string },
  exchange: Pick<Exchange, 'address' | 'headers'>,
): Promise<CheckedPassword> {
  const knownBrowser = user && knownBrowsers.findSecret(exchange, user.id);
  const subject = { kind: 'password', account, address: exchange.address } as const;
  const attempt = await limits.attempt({ ...subject, ...(knownBrowser !== undefined && { knownBrowser }) });
  const verdict = await passwords.verify(password, user?.passwordHash).catch(async (error: unknown) => {
    await attempt.withdraw();
    throw error;
  });
  return {
    matches: verdict.matches,
    attempt,
    async renewHash() {
      if (!verdict.matches || verdict.rehash === undefined || user?.passwordHash === undefined) return;
      await database
        .updateTable('credentials')
        .set({ password_hash: verdict.rehash })
        .where('user_id', '=', user.id)
        .where('password_hash', '=', user.passwordHash)
        .execute();
    },
  };
}
