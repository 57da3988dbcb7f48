import type { Locale, Site } from '@anteroom/contract';
import { foldText, searchedWords } from './search-text.ts';

/** A site, or a group of sites under the name of their parent. */
export type ListedSite =
  | { kind: 'site'; site: Site }
  | { kind: 'group'; name: string; displayName: string; sites: readonly Site[] };

/**
 * The list in its displayed order: top-level sites by display name, child sites by sequence (specification, point 4).
 */
export function listSites(sites: readonly Site[], locale: Locale): ListedSite[] {
  const { compare } = new Intl.Collator(locale, { numeric: true });
  const byDisplayName = (one: Site, other: Site): number => compare(one.displayName, other.displayName);
  return sites.toSorted(byDisplayName).map((site) => {
    const children = site.sites ?? [];
    if (children.length === 0) return { kind: 'site', site };
    const bySequence = (one: Site, other: Site): number =>
      one.sequence - other.sequence || byDisplayName(one, other);
    return {
      kind: 'group',
      name: site.name,
      displayName: site.displayName,
      sites: parentFirst(children.toSorted(bySequence), site.name),
    };
  });
}

/** A selectable parent comes before its children (wire contract, "Sites"). */
function parentFirst(sites: readonly Site[], parent: string): readonly Site[] {
  const isParent = ({ name }: Site): boolean => name === parent;
  return [...sites.filter(isParent), ...sites.filter((site) => !isParent(site))];
}

/** A list with at most this many sites has no search field. */
export const glanceCount = 12;

export function sitesOf(entry: ListedSite): readonly Site[] {
  return entry.kind === 'group' ? entry.sites : [entry.site];
}

export function countSites(listed: readonly ListedSite[]): number {
  return listed.reduce((count, entry) => count + sitesOf(entry).length, 0);
}

/** At most the first `count` sites; a group can be split. Complete entries are reused unchanged. */
export function firstSites(listed: readonly ListedSite[], count: number): readonly ListedSite[] {
  const first: ListedSite[] = [];
  let remaining = count;
  for (const entry of listed) {
    if (remaining <= 0) break;
    const isComplete = entry.kind === 'site' || entry.sites.length <= remaining;
    first.push(isComplete ? entry : { ...entry, sites: entry.sites.slice(0, remaining) });
    remaining -= sitesOf(entry).length;
  }
  return first;
}

/** Finds the sites whose name, together with the name of their group, contains every word of a query. */
export function createSiteSearch(listed: readonly ListedSite[]): (query: string) => readonly ListedSite[] {
  // Computed once, on the first search.
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

/** A site outside its group, with the name of the group. */
export interface LeadingSite {
  site: Site;
  groupName: string | undefined;
}

/** The sections above the list, which repeat some of its sites. */
export interface LeadingSites {
  /** In the order of the list. */
  pinned: readonly LeadingSite[];
  /** The latest first, without the pinned sites. */
  recent: readonly LeadingSite[];
}

/** The sites with these names, if they are in the list. */
export function findLeadingSites(
  listed: readonly ListedSite[],
  { pinned, recent }: { pinned: readonly string[]; recent: readonly string[] },
): LeadingSites {
  const found = new Map<string, LeadingSite>();
  for (const entry of listed)
    for (const site of sitesOf(entry)) {
      // The parent site of a group has no group name, because both names are the same.
      const isMember = entry.kind === 'group' && site.name !== entry.name;
      found.set(site.name, { site, groupName: isMember ? entry.displayName : undefined });
    }
  const isPinned = new Set(pinned);
  return {
    pinned: [...found.values()].filter(({ site }) => isPinned.has(site.name)),
    recent: recent.flatMap((name) => (isPinned.has(name) ? [] : (found.get(name) ?? []))),
  };
}
