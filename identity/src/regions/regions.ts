import type { Log } from '../lib/log.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Keys } from '../lib/keys.ts';
import type { Random } from '../lib/random.ts';
import type { Database } from '../store/schema.ts';
import { createBackgroundRun } from '../lib/background-run.ts';
import { createPeerKeys } from './peer-keys.ts';
import { createAskPeer } from './peer-requests.ts';
import { createRegionTokens, tokenTypes } from './signed-tokens.ts';
import type { RegionTokens, TokenType } from './signed-tokens.ts';
import { claimUndeliveredLinks, markEndedLinks, markDelivered } from './links-store.ts';
import type { PeerAnswer } from './peer-requests.ts';

/** The server-to-server endpoints. The request body is a signed token. */
export const regionPaths = { request: '/regions/requests', notice: '/regions/notices' } as const;
export const tokenContentType = 'application/jwt';

/** This region and its peers. */
export type Regions = {
  ownUrl: string;
  /** The URLs of the other regions. */
  others: readonly string[];
  tokens: RegionTokens;
  /** Notifies the other regions of sessions that have ended here. */
  linkNotices: LinkNotices;
  send: NotifyRegion;
};

/** Undefined if there is only one region. */
export function createRegions({
  config,
  keys,
  clock,
  random,
  database,
  log,
}: {
  config: Pick<Config, 'regions' | 'production'>;
  database: Database;
  log: Log;
  keys: Pick<Keys, 'regionSigning'>;
  clock: Clock;
  random: Random;
}): Regions | undefined {
  if (config.regions === undefined) return undefined;
  if (keys.regionSigning === undefined) throw new Error('The region signing key is missing');
  const ask = createAskPeer({ isGuarded: config.production });
  const ownUrl = config.regions.own.url;
  const others = config.regions.others.map(({ url }) => url);
  const tokens = createRegionTokens({
    own: ownUrl,
    others,
    signing: keys.regionSigning,
    peerKeys: createPeerKeys({ ask, clock }),
    clock,
    random,
  });
  const types: Record<keyof typeof regionPaths, TokenType> = {
    request: tokenTypes.request,
    notice: tokenTypes.notice,
  };
  const send: NotifyRegion = async (region, kind, claims) => {
    if (!others.includes(region)) throw new Error('The region is not in the list of regions');
    return await ask(new URL(regionPaths[kind], region), {
      method: 'POST',
      contentType: tokenContentType,
      body: await tokens.sign(types[kind], region, claims),
    });
  };
  const linkNotices = createLinkNotices({ regions: { send }, database, clock, log });
  return { ownUrl, others, tokens, linkNotices, send };
}

/**
 * Sends a signed token to another region's server.
 * @throws if the region does not respond in time
 */
type NotifyRegion = (
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

type LinkNotices = {
  /** Starts sending the notices that are due, in the background. A job retries failed ones (`housekeeping.ts`). */
  sendDue: () => void;
  /** Resolves when no notice is in flight. */
  settle: () => Promise<void>;
};

function createLinkNotices(needed: Needed): LinkNotices {
  const work = async (): Promise<boolean> => {
    await notifyEndedLinks(needed);
    return false;
  };
  const run = createBackgroundRun(work, (error) =>
    needed.log.warn({ err: error }, 'could not find or send notices of ended sessions'),
  );
  return { sendDue: run.start, settle: run.settle };
}
