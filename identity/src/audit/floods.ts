import type { Clock } from '../lib/clock.ts';
import { countedRanges } from '../lib/visitor-address.ts';
import type { QueuedEvent } from './audit-store.ts';

/** How many failures per minute, of one kind and from one address (IPv6: one /48 prefix), get a row each. */
const rowsPerNode = 60;
const windowMs = 60_000;
/** Beyond this number of kinds and addresses, all addresses are counted together. */
const mostKinds = 10_000;

type Flood = { begunAt: number; count: number; last: QueuedEvent };

/**
 * Limits the rows for failures, because any client can cause any number of failures. Failures above the limit share one
 * row per minute, which contains their number; the log has a line for each failure. Each node counts separately.
 */
export type FloodGuard = {
  /** Whether the event gets a row of its own. */
  admit: (event: QueuedEvent) => boolean;
  /** The summaries of the failures without a row, after the end of their minute; on shutdown, `all` of them. */
  takeSummaries: (all?: boolean) => QueuedEvent[];
};

export function createFloodGuard(clock: Clock): FloodGuard {
  const floods = new Map<string, Flood>();

  const kindOf = ({ event, reason = '', clientId = '', address = '' }: QueuedEvent): string => {
    const kind = `${event} ${reason} ${clientId}`;
    const own = `${kind} ${countedRanges(address).at(-1)?.range}`;
    return floods.has(own) || floods.size < mostKinds ? own : kind;
  };

  function addTo(flood: Flood, event: QueuedEvent): boolean {
    flood.count += 1;
    flood.last = event;
    return flood.count <= rowsPerNode;
  }

  return {
    admit(event) {
      if (event.result === 'success') return true;
      const kind = kindOf(event);
      const flood = floods.get(kind);
      if (flood === undefined || event.at.getTime() - flood.begunAt >= windowMs) {
        // The old flood still waits for its summary: the event is added to it.
        if (flood !== undefined && flood.count > rowsPerNode) return addTo(flood, event);
        floods.set(kind, { begunAt: event.at.getTime(), count: 1, last: event });
        return true;
      }
      return addTo(flood, event);
    },
    takeSummaries(all = false) {
      const now = clock.now().getTime();
      const summaries: QueuedEvent[] = [];
      for (const [kind, { begunAt, count, last }] of floods) {
        if (!all && now - begunAt < windowMs) continue;
        floods.delete(kind);
        const more = count - rowsPerNode;
        // The failures may concern many users, so the summary names none.
        const { userId: _userId, sessionHash: _sessionHash, ...event } = last;
        if (more > 0) summaries.push({ ...event, details: { more: String(more) } });
      }
      return summaries;
    },
  };
}
