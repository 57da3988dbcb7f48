import type { Exchange } from '../http/exchange.ts';
import type { Attempt } from '../limits/limits.ts';
import type { Person } from '../users/users-store.ts';
import type { SignInServices } from './sign-in-services.ts';

export type CheckedPassword = {
  matches: boolean;
  /** Counts the attempt as a success. Until this call, the limits count it as a failure. */
  succeeded: Attempt['succeeded'];
  /** Counts the attempt as a success in the statement that records the proof. */
  succeeding: Attempt['succeeding'];
  /** Removes the attempt from the counts, because the password was not checked. */
  withdraw: () => Promise<void>;
  /** Stores a hash of the same password with the current parameters, unless the password has changed since. */
  renewHash: () => Promise<void>;
};

/**
 * The only function that checks a user's password. `account` is the key for the limits, also for an unknown user name,
 * which causes the same work (attacks and faults, S26, S27).
 * @throws `rate_limit_reached`, `overloaded`
 */
export async function checkPassword(
  { limits, passwords, knownBrowsers, database }: SignInServices,
  { account, person, password }: { account: string; person: Person | undefined; password: string },
  exchange: Exchange,
): Promise<CheckedPassword> {
  const knownBrowser = person && knownBrowsers.findSecret(exchange, person.id);
  const subject = { kind: 'password', account, address: exchange.address } as const;
  const attempt = await limits.attempt({ ...subject, ...(knownBrowser !== undefined && { knownBrowser }) });
  const verdict = await passwords.verify(password, person?.passwordHash).catch(async (error: unknown) => {
    await attempt.withdraw();
    throw error;
  });
  return {
    matches: verdict.matches,
    succeeded: attempt.succeeded,
    succeeding: attempt.succeeding,
    withdraw: attempt.withdraw,
    async renewHash() {
      if (!verdict.matches || verdict.rehash === undefined || person?.passwordHash === undefined) return;
      await database
        .updateTable('credentials')
        .set({ password_hash: verdict.rehash })
        .where('person_id', '=', person.id)
        .where('password_hash', '=', person.passwordHash)
        .execute();
    },
  };
}
