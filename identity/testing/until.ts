import { setTimeout as wait } from 'node:timers/promises';

/** Prevents endless waits. It is generous, so that a slow machine does not fail a test. */
export const patienceMs = 120_000;

/** Resolves once the condition is true; checks it every 2 ms. A failure names the condition. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = patienceMs,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end)
      throw new Error(`Waited ${timeoutMs / 1000} s in vain for: ${String(condition)}`);
    await wait(2);
  }
}
