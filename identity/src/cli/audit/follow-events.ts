import type { Database } from '../../store/schema.ts';
import { listEvents } from './present-events.ts';
import type { EventFilters, PresentEvent } from './present-events.ts';

/** Numbers are given before they can be read: a slower node's row may come in behind a later number, within this many. */
const mayComeLate = 2_000;

/** What is noted from now on, as it comes; `pause` lies between two looks, and ends it by answering false. */
export async function* followEvents(
  database: Database,
  filters: EventFilters,
  pause: () => Promise<boolean>,
): AsyncGenerator<PresentEvent> {
  const latest = await database
    .selectFrom('audit_events')
    .select(({ fn }) => fn.max('number').as('number'))
    .executeTakeFirst();
  const begun = Number(latest?.number ?? 0);
  const seen = new Set<number>();
  let highest = begun;
  while (await pause()) {
    const from = Math.max(begun, highest - mayComeLate);
    for await (const event of listEvents(database, { ...filters, afterNumber: String(from) }, Infinity)) {
      const number = Number(event.number);
      if (seen.has(number)) continue;
      seen.add(number);
      highest = Math.max(highest, number);
      yield event;
    }
    for (const number of seen) if (number <= highest - mayComeLate) seen.delete(number);
  }
}
