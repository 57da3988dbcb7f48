import type { Clock } from '../lib/clock.ts';
import { countedRanges } from '../lib/visitor-address.ts';
import type { NotedEvent } from './audit-store.ts';

/** So many failures of one kind and from one address (IPv6: one /48) in a minute have a row each. */
const notedOneByOne = 60;
const windowMs = 60_000;
/** Whoever has more addresses than that has them counted together. */
const mostKinds = 10_000;

type Flood = { begunAt: number; count: number; last: NotedEvent };

/**
 * Anybody can cause failures, any number of them: what comes by the hundred is told once a minute with its number, so that nobody fills
 * the table (the log has a line for each). Each node counts for itself.
 */
export type FloodGuard = {
  /** Whether the event gets a row of its own. */
  admit: (event: NotedEvent) => boolean;
  /** Rows for what got none, once its minute is over; all of them for a process that stops. */
  takeSummaries: (all?: boolean) => NotedEvent[];
};

export function createFloodGuard(clock: Clock): FloodGuard {
  const floods = new Map<string, Flood>();

  const kindOf = ({ event, reason = '', clientId = '', address = '' }: NotedEvent): string => {
    const kind = `${event} ${reason} ${clientId}`;
    const own = `${kind} ${countedRanges(address).at(-1)?.range}`;
    return floods.has(own) || floods.size < mostKinds ? own : kind;
  };

  return {
    admit(event) {
      if (event.result === 'success') return true;
      const kind = kindOf(event);
      const flood = floods.get(kind);
      if (flood === undefined || event.at.getTime() - flood.begunAt >= windowMs) {
        // a flood that went quiet is told with the next batch
        if (flood !== undefined && flood.count > notedOneByOne) return addTo(flood, event);
        floods.set(kind, { begunAt: event.at.getTime(), count: 1, last: event });
        return true;
      }
      return addTo(flood, event);
    },
    takeSummaries(all = false) {
      const now = clock.now().getTime();
      const summaries: NotedEvent[] = [];
      for (const [kind, { begunAt, count, last }] of floods) {
        if (!all && now - begunAt < windowMs) continue;
        floods.delete(kind);
        const more = count - notedOneByOne;
        // of many people: whom the last one concerned says nothing
        const { personId: _personId, sessionHash: _sessionHash, ...event } = last;
        if (more > 0) summaries.push({ ...event, details: { more: String(more) } });
      }
      return summaries;
    },
  };
}

function addTo(flood: Flood, event: NotedEvent): boolean {
  flood.count += 1;
  flood.last = event;
  return flood.count <= notedOneByOne;
}
