import { readFileSync, readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Enough that a thread which wants the processor gets nine parts in ten of it, and low enough that hashing never starves. */
const niceness = 10;

/**
 * Lets the threads that hash give way to the one that answers: under a flood of sign-ins it is the hashing that waits, not
 * everything else (attacks and faults, S66). On Linux a thread has a priority of its own (setpriority(2), "C library/kernel
 * differences"); elsewhere there is nothing to do it with, and all run alike. Call it once those threads have begun.
 */
export function letHashingGiveWay(): void {
  if (process.platform !== 'linux') return;
  const tasks = '/proc/self/task';
  try {
    for (const thread of readdirSync(tasks)) {
      const name = readFileSync(`${tasks}/${thread}/comm`, 'utf8').trim();
      if (name === 'libuv-worker') setPriority(Number(thread), niceness);
    }
  } catch {
    // a thread that has just ended, or a system that hides them: then all run alike
  }
}
