import { vi } from 'vitest';

/** Ends a wait that would never end. No figure of the product: a machine that is slow is no fault. */
const limitMs = 120_000;

/** Resolves once the condition holds; looked at every 2 ms. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(isSo, { timeout: limitMs, interval: 2 });
}
