import type { Log } from '../lib/log.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Keys } from '../lib/keys.ts';
import type { Random } from '../lib/random.ts';
import type { Database } from '../store/schema.ts';
import { createLinkNotices } from './link-notices.ts';
import type { LinkNotices, NotifyRegion } from './link-notices.ts';
import { createPeerKeys } from './peer-keys.ts';
import { createAskPeer } from './peer-requests.ts';
import { createRegionTokens, tokenTypes } from './signed-tokens.ts';
import type { RegionTokens, TokenType } from './signed-tokens.ts';

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
