import type { RawBuilder } from 'kysely';

/** What an attempt is about: each kind has counters of its own. */
export type AttemptKind = 'password' | 'second-factor';

export type AttemptSubject = {
  kind: AttemptKind;
  /** The person's id, or the sign-in name as `signInNameKey` spells it when nobody has it: unknown people are counted alike. */
  account: string;
  /** The visitor's address; an IPv6 one counts with its /64 and its /48. */
  address: string;
  /**
   * A browser that this person has signed in with before, by a secret of its own. It has its own counter for the account and is not
   * counted by its address, so that a stranger who fails on purpose cannot lock the person out (attacks and faults, S34).
   */
  knownBrowser?: string;
};

/** An attempt that was let in, counted as a failure in advance, so that a burst cannot slip through. After a failure there is nothing to do. */
export type Attempt = {
  /** It was right: the account's count begins anew, the address gets its one back. */
  succeeded: () => Promise<void>;
  /** The same as parts of a statement that does more (`with …`), when the part of that name returns a row. */
  succeeding: (when: RawBuilder<unknown>) => RawBuilder<unknown>[];
  /** It was never decided (overloaded): both counts get their one back. */
  withdraw: () => Promise<void>;
};

export type Limits = {
  /**
   * Refuses an address that this node has refused a moment ago, without asking the database: hundreds of requests a second then
   * cost next to nothing. `attempt` does the same.
   * @throws `rate_limit_reached` with `Retry-After`.
   */
  requireNotHeld: (kind: AttemptKind, address: string) => void;
  /**
   * Call it BEFORE the work that costs or reveals something.
   * @throws `rate_limit_reached` with `Retry-After` while the account or the address has to wait.
   */
  attempt: (subject: AttemptSubject) => Promise<Attempt>;
  /**
   * Whether the account has failed so often in a row that nothing but a reset opens it. Waits are not asked about: anybody can cause
   * them, and whoever is signed in must not be held up by a stranger (attacks and faults, S34).
   */
  isLocked: (kind: AttemptKind, account: string) => Promise<boolean>;
  /** The account was proven in another way (a password reset): all its counters begin anew. */
  forgive: (kind: AttemptKind, account: string) => Promise<void>;
  /** Forgets counters whose time has passed; answers how many. */
  prune: () => Promise<number>;
};
