/** `rehash` is the hash to store instead, if the stored one was imported or has old parameters. */
export type PasswordVerdict = { matches: false } | { matches: true; rehash: string | undefined };

/**
 * Passwords with argon2id, off the event loop, with bounded concurrency and a bounded queue. If the queue is full,
 * both throw the contract error `overloaded` at once. More than 256 code points are rejected without hashing.
 */
export type Passwords = {
  /**
   * Reserves capacity for a request that will need a hash, before any other work, so that a request that cannot be
   * served costs no query. Returns the function that releases it.
   * @throws `overloaded` at once
   */
  admit: () => () => void;
  /** On shutdown, rejects queued and new work with `overloaded`, so that clients get a response before the connection closes. */
  refuseWaiting: () => void;
  hash: (password: string) => Promise<string>;
  /**
   * Performs the same work for every account, including `undefined` for an unknown user: one hash with the current
   * parameters, and the work of every other kind of stored hash.
   */
  verify: (password: string, storedHash: string | undefined) => Promise<PasswordVerdict>;
  /** Only compares, for callers to whom the stored hash is no secret. */
  matches: (password: string, storedHash: string) => Promise<boolean>;
};
