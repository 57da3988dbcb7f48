import { vi } from 'vitest';

/** Prevents endless waits. It is generous, so that a slow machine does not fail a test. */
const timeoutMs = 120_000;

/** Resolves once the condition is true; checks it every 2 ms. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(condition, { timeout: timeoutMs, interval: 2 });
}
