import { refuse, refusePlainHttp } from './config-rules.ts';
import type { Environment } from './environment.ts';
import type { SigningKey } from '../lib/keys.ts';

/** A group of nodes that share one database, and the URL at which browsers and the other regions reach it. */
export type Region = { name: string; url: string };

/** Several regions that hand visitors over to each other; undefined if there is only one region. */
export type RegionSettings = {
  own: Region;
  others: Region[];
  /**
   * The keys that sign this region's hand-over tokens, the current key first; undefined: generated (never in
   * production).
   */
  signing: { keys: SigningKey[] } | undefined;
};

export function toRegionSettings(env: Environment, publicUrl: string): RegionSettings | undefined {
  const own = env.REGIONS.find(({ url }) => url === publicUrl);
  return own === undefined
    ? undefined
    : {
        own,
        others: env.REGIONS.filter((region) => region !== own),
        signing: env.REGION_SIGNING_JWKS,
      };
}

export function problemsOfRegions(env: Environment, publicUrl: string): string[] {
  const { REGIONS: regions } = env;
  if (regions.length === 0)
    return refuse(env.REGION_SIGNING_JWKS !== undefined, 'REGION_SIGNING_JWKS: REGIONS says which regions');
  const production = env.NODE_ENV === 'production';
  return [
    ...refuse(regions.length < 2, 'REGIONS: must list this region and at least one other'),
    ...refuse(
      !regions.some(({ url }) => url === publicUrl),
      'REGIONS: must list this region, by the very address that PUBLIC_URL says',
    ),
    ...refuse(
      !isDistinct(regions.map(({ name }) => name)) || !isDistinct(regions.map(({ url }) => url)),
      'REGIONS: a name or an address stands there twice',
    ),
    ...refuse(
      !isOneDomain(regions.map(({ url }) => url)),
      'REGIONS: must be hosts of one domain (eu.id.example, us.id.example): browsers keep cookies back between others',
    ),
    ...(production ? refusePlainHttp('REGIONS', ...regions.map(({ url }) => url)) : []),
    ...refuse(
      production && env.REGION_SIGNING_JWKS === undefined,
      'REGION_SIGNING_JWKS: must be set in production (the default key is made up at the first start)',
    ),
  ];
}

function isDistinct(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length;
}

/**
 * Compares the last two labels of the hosts. This is necessary but not sufficient: only the Public Suffix List, which
 * the product does not contain, says which domains are registrable.
 */
function isOneDomain(urls: readonly string[]): boolean {
  const parents = urls.map((url) => new URL(url).hostname.split('.').slice(-2).join('.'));
  return new Set(parents).size <= 1;
}
