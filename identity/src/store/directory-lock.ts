import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The directory is in use or not writable; the message is for the operator. */
export class DirectoryLockError extends Error {
  override readonly name = 'DirectoryLockError';

  /** Whether another process holds the lock. */
  get isHeld(): boolean {
    return isBusy(this.cause);
  }
}

export type DirectoryLock = { release: () => void };

/** Keeps held locks from garbage collection, which would close and so release them. */
const heldLocks = new Set<DatabaseSync>();

/** SQLite's primary result code for a lock held by another connection. */
const sqliteBusy = 5;

/**
 * Takes `<directory>.lock` for this process. PGlite has no lock of its own: a second process on the same directory
 * silently loses the rows of the first. An exclusive SQLite transaction is backed by an operating system lock: a
 * second process is rejected within a millisecond, `kill -9` releases the lock, and a leftover lock file has no
 * effect.
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
  heldLocks.add(held);
  return {
    release: () => {
      heldLocks.delete(held);
      held.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}
