import type { Site } from '@anteroom/contract';
import { sitesOf } from './site-search.ts';
import type { ListedSite } from './site-order.ts';

/** A site that was chosen lately, away from its family: it brings their name along. */
export interface RecentSite {
  site: Site;
  groupName: string | undefined;
}

/** The sites of these names, in their order, as far as they are in the list. */
export function findRecentSites(
  listed: readonly ListedSite[],
  names: readonly string[],
): readonly RecentSite[] {
  const found = new Map<string, RecentSite>();
  for (const entry of listed)
    for (const site of sitesOf(entry)) {
      // the parent itself says no more with its own name twice
      const isMember = entry.kind === 'group' && site.name !== entry.name;
      found.set(site.name, { site, groupName: isMember ? entry.displayName : undefined });
    }
  return names.flatMap((name) => found.get(name) ?? []);
}
