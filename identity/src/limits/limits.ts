import type { RawBuilder } from 'kysely';

/** The purpose of an attempt; each has separate counters. */
export type AttemptKind = 'password' | 'second-factor';

export type AttemptSubject = {
  kind: AttemptKind;
  /** The user's id, or the normalised sign-in name (`signInNameKey`) of an unknown user, who is counted in the same way. */
  account: string;
  /** The visitor's address; an IPv6 address counts with its /64 and its /48. */
  address: string;
  /**
   * The secret of a browser that this user has signed in with before. Such a browser has its own counter for the
   * account and does not count by its address, so that an attacker cannot lock the user out with deliberate failures
   * (attacks and faults, S34).
   */
  knownBrowser?: string;
};

/** A permitted attempt. It is counted as a failure in advance, so that a burst cannot exceed the limit; a failure needs no further call. */
export type Attempt = {
  /** The attempt succeeded: resets the account's count and reverts the count of the address. */
  succeeded: () => Promise<void>;
  /** The same as parts of a larger statement (`with …`), applied if the part with that name returns a row. */
  succeeding: (when: RawBuilder<unknown>) => RawBuilder<unknown>[];
  /** The attempt had no result (overloaded): reverts both counts. */
  withdraw: () => Promise<void>;
};

export type Limits = {
  /**
   * Rejects an address that this node has just rejected, without a query, so that hundreds of such requests a second
   * cost little. `attempt` does the same.
   * @throws `rate_limit_reached` with `Retry-After`
   */
  requireNotHeld: (kind: AttemptKind, address: string) => void;
  /**
   * Call it BEFORE the work that is expensive or reveals something.
   * @throws `rate_limit_reached` with `Retry-After` while the account or the address must wait
   */
  attempt: (subject: AttemptSubject) => Promise<Attempt>;
  /**
   * Whether only a reset can unlock the account after too many consecutive failures. Waits are ignored: any visitor
   * can cause them, and they must not affect a signed-in user (attacks and faults, S34).
   */
  isLocked: (kind: AttemptKind, account: string) => Promise<boolean>;
  /** Resets all counters of an account that was verified in another way (a password reset). */
  forgive: (kind: AttemptKind, account: string) => Promise<void>;
};
