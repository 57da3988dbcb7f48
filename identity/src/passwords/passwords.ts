/** What comparing a password with what is stored says. `rehash` is the new hash to store when the parameters have changed since. */
export type PasswordVerdict = { matches: false } | { matches: true; rehash: string | undefined };

/**
 * Passwords through argon2id, off the event loop, with bounded concurrency and a bounded queue.
 * Past the queue both throw the contract error `overloaded` at once. Longer than 256 code points is refused before it costs a hash.
 */
export type Passwords = {
  /**
   * Asked before anything is done for a request that will need a hash, so that what cannot be served costs no statement
   * either; answers how to give the place back.
   * @throws `overloaded` at once.
   */
  admit: () => () => void;
  /** For a process that leaves: whoever still waits is told `overloaded` while there is time for it, and so is whoever comes. */
  refuseWaiting: () => void;
  hash: (password: string) => Promise<string>;
  /** `storedHash` undefined (an unknown person): the same work against a hash that nothing matches. */
  verify: (password: string, storedHash: string | undefined) => Promise<PasswordVerdict>;
};
