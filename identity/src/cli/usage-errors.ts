// What ends a command besides a refusal. Exit codes: 0 done, 1 refused (with reasons), 2 not understood.

/** The command was not understood; the message says what it needs. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The operator cancelled a question at the terminal. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}
