/** `rehash` is the hash to store instead: the stored one was imported, or is of other parameters. */
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
  /**
   * Does the same work whatever is stored of the account, `undefined` for an unknown person included: one hash of the present
   * parameters, and the work of every other kind of hash that is stored anywhere.
   */
  verify: (password: string, storedHash: string | undefined) => Promise<PasswordVerdict>;
  /** For a caller who may know how the password is stored: compares and does nothing else. */
  matches: (password: string, storedHash: string) => Promise<boolean>;
};
