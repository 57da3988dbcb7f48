import type { Locale, Site } from '@anteroom/contract';

/** A site, or a group of them under the name of their parent. */
export type ListedSite =
  | { kind: 'site'; site: Site }
  | { kind: 'group'; name: string; displayName: string; sites: readonly Site[] };

/** The list as it is shown: top-level sites by display name, child sites by sequence (specification, point 4). */
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

/** A parent that can be selected itself stands before its children (wire contract, "Sites"). */
function parentFirst(sites: readonly Site[], parent: string): readonly Site[] {
  const isParent = ({ name }: Site): boolean => name === parent;
  return [...sites.filter(isParent), ...sites.filter((site) => !isParent(site))];
}

/** Where the first entry that asks for the focus stands: the place in the list, and its name. */
export function findAutofocus(listed: readonly ListedSite[]): { index: number; name: string } | undefined {
  for (const [index, entry] of listed.entries()) {
    const sites = entry.kind === 'site' ? [entry.site] : entry.sites;
    const found = sites.find(({ autofocus }) => autofocus);
    if (found) return { index, name: found.name };
  }
  return undefined;
}
