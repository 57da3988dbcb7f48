import { vi } from 'vitest';

/** Only prevents endless waits. It is generous, because a slow machine must not fail a test. */
const timeoutMs = 120_000;

/** Resolves once the condition is true; checks it every 2 ms. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(condition, { timeout: timeoutMs, interval: 2 });
}
