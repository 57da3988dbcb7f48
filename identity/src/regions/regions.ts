import type { Log } from '../lib/log.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Keys } from '../lib/keys.ts';
import type { Random } from '../lib/random.ts';
import type { Database } from '../store/schema.ts';
import { createLinkNotices } from './link-notices.ts';
import type { LinkNotices, TellRegion } from './link-notices.ts';
import { createPeerKeys } from './peer-keys.ts';
import { createAskPeer } from './peer-requests.ts';
import { createSignedWords, wordTypes } from './signed-words.ts';
import type { SignedWords, WordType } from './signed-words.ts';

/** Where one server tells another something. The body is a signed word. */
export const regionPaths = { request: '/regions/requests', notice: '/regions/notices' } as const;
export const wordContentType = 'application/jwt';

/** This region among the others. */
export type Regions = {
  ownUrl: string;
  /** Addresses of the others. */
  others: readonly string[];
  words: SignedWords;
  /** Tells the others which sessions have ended here. */
  linkNotices: LinkNotices;
  tell: TellRegion;
};

/** Undefined where there is one region alone. */
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
  if (keys.regionSigning === undefined) throw new Error('A region needs a key of its own');
  const ask = createAskPeer({ isGuarded: config.production });
  const ownUrl = config.regions.own.url;
  const others = config.regions.others.map(({ url }) => url);
  const words = createSignedWords({
    own: ownUrl,
    others,
    signing: keys.regionSigning,
    peerKeys: createPeerKeys({ ask, clock }),
    clock,
    random,
  });
  const types: Record<keyof typeof regionPaths, WordType> = {
    request: wordTypes.request,
    notice: wordTypes.notice,
  };
  const tell: TellRegion = async (region, kind, claims) => {
    if (!others.includes(region)) throw new Error('Nobody but a region of ours is told anything');
    return await ask(new URL(regionPaths[kind], region), {
      method: 'POST',
      contentType: wordContentType,
      body: await words.sign(types[kind], region, claims),
    });
  };
  const linkNotices = createLinkNotices({ regions: { tell }, database, clock, log });
  return { ownUrl, others, words, linkNotices, tell };
}
