import type { Clock } from '../lib/clock.ts';

/** After this time the database is asked again, as a reverted attempt may have made room. */
const longestHoldMs = 5_000;
/** A flood from more addresses at once is distributed anyway; the oldest entries are dropped. */
const maximumAddresses = 10_000;

export type HeldAddresses = {
  hold: (key: string, until: Date) => void;
  /** When the address can try again, if this node remembers it. */
  find: (key: string) => Date | undefined;
};

/** Remembers rejected addresses in this node's memory, to save queries during a flood. The database remains authoritative. */
export function createHeldAddresses(clock: Clock): HeldAddresses {
  const held = new Map<string, { until: Date; askAgainAt: number }>();
  return {
    hold(key, until) {
      const askAgainAt = Math.min(until.getTime(), clock.now().getTime() + longestHoldMs);
      held.delete(key);
      held.set(key, { until, askAgainAt });
      const oldest = held.keys().next().value;
      if (held.size > maximumAddresses && oldest !== undefined) held.delete(oldest);
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
