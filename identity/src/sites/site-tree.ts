import type { CallAnswer } from '@anteroom/contract';
import { findAddable, meetsRequirement } from '../factors/factors.ts';
import type { FactorUser } from '../factors/factors.ts';
import type { OwnSite, OwnSites } from './own-sites-store.ts';
import type { ListedSite } from './sites-store.ts';

type Entry = CallAnswer<'getSites'>['sites'][number];
type Child = NonNullable<NonNullable<Entry['sites']>[number]>;

export type TreeFacts = {
  user: FactorUser;
  /** Whether the user can add a second factor on the account page. */
  mayAddFactors: boolean;
  /** Whether the identity provider of a site can sign the user in at that site. */
  mayUseCompany: boolean;
  /** The site of the session, which gets the focus. */
  currentSite: string | undefined;
};

/**
 * The default order; the front end sorts by the visitor's language. One collator for all calls is a hundred times faster
 * than `localeCompare`.
 */
const { compare } = new Intl.Collator('en');

/**
 * Builds the list: single sites and groups ordered by display name, the sites of a group by sequence. If the user is a
 * member of the parent itself, it is the first site of its group (wire contract, "Sites").
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

  /**
   * The list has two levels: a deeper site belongs to the group of its topmost known parent. Sites with a cycle of
   * parents (invalid data) are listed singly.
   */
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
    const isMet = meetsRequirement(site, facts.user);
    return {
      ...describe(site),
      areEntitlementRequirementsMet: site.entitlementRequirementsMet,
      mfaRequirementMet: isMet,
      ...(!isMet && { mfaRemedy: findRemedy(site) }),
      clientEntitlement: site.clientEntitlement,
      storedBooks: site.seenBooks,
      ...(site.name === facts.currentSite && { autofocus: true }),
    };
  }

  /** The identity provider of a site decides about second factors of the users that it signs in (docs/extensions.md). */
  function findRemedy(site: OwnSite): string | undefined {
    if (facts.mayUseCompany && site.isSignedInByCompany) return 'sign-in-at-company';
    const addable = facts.mayAddFactors ? findAddable(site, facts.user.owner, sites) : undefined;
    return addable && `add-${addable.name}`;
  }
}

function describe({ name, displayName, sequence, logoPath }: ListedSite) {
  return { name, displayName, sequence, logoPath };
}
