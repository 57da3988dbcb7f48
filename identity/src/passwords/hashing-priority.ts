import { readFileSync, readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

/** High enough that other threads get about nine tenths of the CPU, and low enough that hashing never starves. */
const niceness = 10;

/**
 * Lowers the priority of the hashing threads below that of the main thread, so that a flood of sign-ins slows down
 * hashing rather than all other requests (attacks and faults, S66). Linux has per-thread priorities (setpriority(2),
 * "C library/kernel differences"); on other systems this has no effect. Call it after the threads have started.
 */
export function lowerHashingPriority(): void {
  if (process.platform !== 'linux') return;
  const tasks = '/proc/self/task';
  try {
    for (const thread of readdirSync(tasks)) {
      const name = readFileSync(`${tasks}/${thread}/comm`, 'utf8').trim();
      if (name === 'libuv-worker') setPriority(Number(thread), niceness);
    }
  } catch {
    // the thread has just ended, or the system hides it: the priority stays unchanged
  }
}
