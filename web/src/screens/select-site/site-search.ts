import type { Site } from '@anteroom/contract';
import { foldText, searchedWords } from './search-text.ts';
import type { ListedSite } from './site-order.ts';

/** Up to this many sites are seen at a glance, and a search field would only be in the way. */
export const glanceCount = 12;

export function sitesOf(entry: ListedSite): readonly Site[] {
  return entry.kind === 'group' ? entry.sites : [entry.site];
}

export function countSites(listed: readonly ListedSite[]): number {
  return listed.reduce((count, entry) => count + sitesOf(entry).length, 0);
}

/** The sites that a list begins with, at most so many; a group may be cut. What is whole is the very same entry. */
export function firstSites(listed: readonly ListedSite[], count: number): readonly ListedSite[] {
  const first: ListedSite[] = [];
  let left = count;
  for (const entry of listed) {
    if (left <= 0) break;
    const isWhole = entry.kind === 'site' || entry.sites.length <= left;
    first.push(isWhole ? entry : { ...entry, sites: entry.sites.slice(0, left) });
    left -= sitesOf(entry).length;
  }
  return first;
}

/** Finds the sites of a list whose name, with the name of their group, has every word of a query somewhere. */
export function createSiteSearch(listed: readonly ListedSite[]): (query: string) => readonly ListedSite[] {
  // folded once, and only when somebody searches
  let texts: ReadonlyMap<Site, string> | undefined;
  return (query) => {
    const searched = searchedWords(query);
    if (searched.length === 0) return listed;
    const folded = (texts ??= foldNames(listed));
    const isFound = (site: Site): boolean => {
      const text = folded.get(site) ?? '';
      return searched.every((word) => text.includes(word));
    };
    return listed.flatMap((entry): ListedSite[] => {
      const found = sitesOf(entry).filter(isFound);
      if (found.length === 0) return [];
      if (entry.kind === 'site' || found.length === entry.sites.length) return [entry];
      return [{ ...entry, sites: found }];
    });
  };
}

function foldNames(listed: readonly ListedSite[]): ReadonlyMap<Site, string> {
  return new Map(
    listed.flatMap((entry) => {
      const group = entry.kind === 'group' ? foldText(entry.displayName) : '';
      return sitesOf(entry).map((site): [Site, string] => [site, `${group}\n${foldText(site.displayName)}`]);
    }),
  );
}
