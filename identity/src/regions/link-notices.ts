import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/schema.ts';
import { claimUntoldLinks, markEndedLinks, noteTold } from './links-store.ts';
import type { PeerAnswer } from './peer-requests.ts';

/** Tells another region's server something. @throws when it does not answer in time. */
export type TellRegion = (
  region: string,
  kind: 'request' | 'notice',
  claims: Readonly<Record<string, unknown>>,
) => Promise<PeerAnswer>;

type Needed = { regions: { tell: TellRegion }; database: Database; clock: Clock; log: Log };

/**
 * Tells other regions what has ended here; one that does not answer is told again, with growing waits, for as long as its session
 * could live. Answers how many sessions were told of.
 */
export async function tellEndedLinks({ regions, database, clock, log }: Needed): Promise<number> {
  await markEndedLinks(database, clock.now());
  const untold = await claimUntoldLinks(database, clock.now());
  const byRegion = Map.groupBy(untold, ({ region }) => region);
  let told = 0;
  for (const [region, links] of byRegion) {
    const ids = links.map(({ id }) => id);
    try {
      const { status } = await regions.tell(region, 'notice', { links: ids });
      if (status !== 204) throw new Error(`answered with ${status}`);
      await noteTold(database, ids, clock.now());
      told += ids.length;
    } catch (error) {
      log.warn({ err: error, region, links: ids.length }, 'a region could not be told that sessions ended');
    }
  }
  return told;
}

export type LinkNotices = {
  /** Begins to tell what has ended; nobody waits for it. What fails is told again by a job (`housekeeping.ts`). */
  tellDue: () => void;
  /** Resolves once nobody is being told any more. */
  settle: () => Promise<void>;
};

export function createLinkNotices(needed: Needed): LinkNotices {
  let underWay: Promise<unknown> | undefined;
  let isAskedAgain = false;
  const look = async (): Promise<void> => {
    do {
      isAskedAgain = false;
      await tellEndedLinks(needed);
    } while (isAskedAgain);
  };
  return {
    tellDue() {
      // what ended while the others were being told is looked for once more
      isAskedAgain = true;
      underWay ??= look()
        .catch((error: unknown) => needed.log.warn({ err: error }, 'could not look for ended sessions'))
        .finally(() => {
          underWay = undefined;
        });
    },
    async settle() {
      await underWay;
    },
  };
}
