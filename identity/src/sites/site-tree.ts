import type { CallAnswer } from '@anteroom/contract';
import type { ListedSite, OwnSite, OwnSites } from './own-sites-store.ts';

type Entry = CallAnswer<'getSites'>['sites'][number];
type Child = NonNullable<NonNullable<Entry['sites']>[number]>;

export type TreeFacts = {
  /** The person has a second factor: sites that ask for one may be entered. */
  hasSecondFactor: boolean;
  /** The site that the session is for: the list begins there. */
  currentSite: string | undefined;
};

/** The front end orders by the visitor's language; this is what a caller without one gets. Made once: a hundred times faster than `localeCompare`. */
const { compare } = new Intl.Collator('en');

/**
 * The list as it is shown: single sites and groups by display name, the sites of a group by sequence. A parent that may
 * be entered itself stands first in its group (wire contract, "Sites").
 */
export function buildSiteTree({ sites, parents }: OwnSites, facts: TreeFacts): Entry[] {
  const known = new Map<string, ListedSite>([...parents, ...sites].map((site) => [site.id, site]));
  const families = Map.groupBy(
    sites.filter((site) => rootOf(site) !== site),
    (site) => rootOf(site).id,
  );
  const entries = sites
    .filter((site) => rootOf(site) === site)
    .map((site) => toEntry(site, families.get(site.id)));
  const headed = parents
    .filter((parent) => rootOf(parent) === parent)
    .map((parent) => toHeader(parent, families.get(parent.id) ?? []));
  return [...entries, ...headed].toSorted((one, other) => compare(one.displayName, other.displayName));

  /** The list has two levels: a site further down stands in the group of its topmost known parent. Parents in a circle (bad data) head nothing. */
  function rootOf(site: ListedSite): ListedSite {
    const passed = new Set<ListedSite>();
    for (let root = site; ;) {
      passed.add(root);
      const parent = root.parentId === undefined ? undefined : known.get(root.parentId);
      if (parent === undefined) return root;
      if (passed.has(parent)) return site;
      root = parent;
    }
  }

  function toEntry(site: OwnSite, family: OwnSite[] | undefined): Entry {
    if (family === undefined) return toChild(site);
    const { autofocus: _inside, ...header } = toChild(site);
    return { ...header, sites: [toChild(site), ...inSequence(family)] };
  }

  function toHeader(parent: ListedSite, family: OwnSite[]): Entry {
    return {
      ...describe(parent),
      areEntitlementRequirementsMet: true,
      mfaRequirementMet: true,
      sites: inSequence(family),
    };
  }

  function inSequence(family: OwnSite[]): Child[] {
    return family.toSorted((one, other) => one.sequence - other.sequence).map(toChild);
  }

  function toChild(site: OwnSite): Child {
    return {
      ...describe(site),
      areEntitlementRequirementsMet: site.entitlementRequirementsMet,
      mfaRequirementMet: !site.asksForSecondFactor || facts.hasSecondFactor,
      clientEntitlement: site.clientEntitlement,
      storedBooks: site.seenBooks,
      ...(site.name === facts.currentSite && { autofocus: true }),
    };
  }
}

function describe({ name, displayName, sequence, logoPath }: ListedSite) {
  return { name, displayName, sequence, logoPath };
}
