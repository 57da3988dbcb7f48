import type { Clock } from '../lib/clock.ts';

/** A refused address is asked about again after this long: it may have got one back meanwhile. */
const longestHoldMs = 5_000;
/** More than that many addresses at once is no flood from a few any more; the oldest are forgotten. */
const mostAddresses = 10_000;

export type HeldAddresses = {
  hold: (key: string, until: Date) => void;
  /** When the address may try again, as far as this node remembers. */
  find: (key: string) => Date | undefined;
};

/** What this node remembers of refused addresses. The database knows better; this only spares it the asking. */
export function createHeldAddresses(clock: Clock): HeldAddresses {
  const held = new Map<string, { until: Date; askAgainAt: number }>();
  return {
    hold(key, until) {
      const askAgainAt = Math.min(until.getTime(), clock.now().getTime() + longestHoldMs);
      held.delete(key);
      held.set(key, { until, askAgainAt });
      const oldest = held.keys().next().value;
      if (held.size > mostAddresses && oldest !== undefined) held.delete(oldest);
    },
    find(key) {
      const entry = held.get(key);
      if (entry === undefined) return undefined;
      if (clock.now().getTime() < entry.askAgainAt) return entry.until;
      held.delete(key);
      return undefined;
    },
  };
}
