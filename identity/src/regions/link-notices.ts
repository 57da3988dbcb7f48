import { createBackgroundRun } from '../lib/background-run.ts';
import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/schema.ts';
import { claimUndeliveredLinks, markEndedLinks, markDelivered } from './links-store.ts';
import type { PeerAnswer } from './peer-requests.ts';

/** Sends a signed token to another region's server. @throws if the region does not respond in time */
export type NotifyRegion = (
  region: string,
  kind: 'request' | 'notice',
  claims: Readonly<Record<string, unknown>>,
) => Promise<PeerAnswer>;

type Needed = { regions: { send: NotifyRegion }; database: Database; clock: Clock; log: Log };

/**
 * Notifies other regions of sessions that have ended here. Failed notices are retried with growing intervals until the
 * session would have expired. Returns the number of delivered notices.
 */
export async function notifyEndedLinks({ regions, database, clock, log }: Needed): Promise<number> {
  await markEndedLinks(database, clock.now());
  const due = await claimUndeliveredLinks(database, clock.now());
  const byRegion = Map.groupBy(due, ({ region }) => region);
  let delivered = 0;
  for (const [region, links] of byRegion) {
    const ids = links.map(({ id }) => id);
    try {
      const { status } = await regions.send(region, 'notice', { links: ids });
      if (status !== 204) throw new Error(`answered with ${status}`);
      await markDelivered(database, ids, clock.now());
      delivered += ids.length;
    } catch (error) {
      log.warn({ err: error, region, links: ids.length }, 'could not notify a region of ended sessions');
    }
  }
  return delivered;
}

export type LinkNotices = {
  /** Starts sending the notices that are due, in the background. A job retries failed ones (`housekeeping.ts`). */
  sendDue: () => void;
  /** Resolves when no notice is in flight. */
  settle: () => Promise<void>;
};

export function createLinkNotices(needed: Needed): LinkNotices {
  const work = async (): Promise<boolean> => {
    await notifyEndedLinks(needed);
    return false;
  };
  const run = createBackgroundRun(work, (error) =>
    needed.log.warn({ err: error }, 'could not find or send notices of ended sessions'),
  );
  return { sendDue: run.start, settle: run.settle };
}
