import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process works on the directory, or it cannot be written to; the message is for the person who started this one. */
export class DirectoryLockError extends Error {
  override readonly name = 'DirectoryLockError';

  /** Another process has it, and it would work if that one were not there. */
  get isHeld(): boolean {
    return isBusy(this.cause);
  }
}

export type DirectoryLock = { release: () => void };

/** SQLite's primary result code for "somebody else holds the lock". */
const sqliteBusy = 5;

/**
 * Takes `<directory>.lock` for this process alone.
 *
 * PGlite has no lock of its own: a second process on the same directory silently loses the first one's rows. An exclusive
 * SQLite transaction is a lock of the operating system underneath: a second process is refused within a millisecond,
 * `kill -9` frees it, and a lock file left behind by a process that died means nothing.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const file = `${directory}.lock`;
  let lock: DatabaseSync | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true });
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    throw new DirectoryLockError(
      isBusy(error)
        ? `The data directory ${dirname(file)} is in use by another Anteroom process. Stop that one, or give this one its own DATA_DIR.`
        : `The data directory ${dirname(file)} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  const held = lock;
  return { release: () => held.close() };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}
