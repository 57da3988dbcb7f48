import { describe, expect, test } from 'vitest';
import type { OwnSite } from './own-sites-store.ts';
import { buildSiteTree } from './site-tree.ts';

const site = (name: string, more: Partial<OwnSite> = {}): OwnSite => ({
  id: `id of ${name}`,
  name,
  displayName: name,
  parentId: undefined,
  sequence: 0,
  logoPath: undefined,
  asksForSecondFactor: false,
  directorToDosEnabled: true,
  entitlementRequirementsMet: true,
  clientEntitlement: 'none',
  seenBooks: [],
  ...more,
});
const child = (name: string, parent: string, sequence: number) =>
  site(name, { parentId: `id of ${parent}`, sequence });
const facts = { hasSecondFactor: false, currentSite: undefined };
const names = (entries: { name: string; sites?: { name: string }[] | null }[]) =>
  entries.map((entry) => [entry.name, ...(entry.sites ?? []).map(({ name }) => name)]);

describe('the list of sites', () => {
  test('single sites by display name, the sites of a group by sequence, the parent first', () => {
    const sites = [
      child('b-two', 'b', 2),
      site('c', { displayName: 'Áa' }),
      child('b-one', 'b', 1),
      site('b', { displayName: 'Bb', sequence: 9 }),
    ];
    expect(names(buildSiteTree({ sites, parents: [] }, facts))).toEqual([
      ['c'],
      ['b', 'b', 'b-one', 'b-two'],
    ]);
  });

  test('a parent of others heads its group and is no entry of it', () => {
    const [group, ...rest] = buildSiteTree(
      { sites: [child('b-one', 'b', 1)], parents: [site('b', { displayName: 'Parent' })] },
      facts,
    );
    expect(rest).toEqual([]);
    expect(group).toMatchObject({ name: 'b', displayName: 'Parent', sites: [{ name: 'b-one' }] });
  });

  test('a child whose parent is gone stands by itself', () => {
    expect(names(buildSiteTree({ sites: [child('lost', 'gone', 1)], parents: [] }, facts))).toEqual([
      ['lost'],
    ]);
  });

  test('a site further down stands in the group of its topmost parent', () => {
    const sites = [site('a'), child('a-b', 'a', 1), child('a-b-c', 'a-b', 2)];
    expect(names(buildSiteTree({ sites, parents: [] }, facts))).toEqual([['a', 'a', 'a-b', 'a-b-c']]);
  });

  test('parents in a circle are bad data, and the list is there all the same', () => {
    const sites = [child('a', 'b', 1), child('b', 'c', 1), child('c', 'a', 1), child('d', 'a', 1)];
    expect(
      names(buildSiteTree({ sites, parents: [] }, facts))
        .flat()
        .toSorted(),
    ).toEqual(['a', 'b', 'c', 'd']);
  });

  test('what keeps somebody out is said for each site', () => {
    const sites = [
      site('a', { entitlementRequirementsMet: false }),
      site('b', { asksForSecondFactor: true }),
      site('c'),
    ];
    expect(buildSiteTree({ sites, parents: [] }, facts)).toMatchObject([
      { areEntitlementRequirementsMet: false, mfaRequirementMet: true },
      { areEntitlementRequirementsMet: true, mfaRequirementMet: false },
      { areEntitlementRequirementsMet: true, mfaRequirementMet: true },
    ]);
    expect(buildSiteTree({ sites, parents: [] }, { ...facts, hasSecondFactor: true })[1]).toMatchObject({
      mfaRequirementMet: true,
    });
  });

  test('the present site has the focus, once', () => {
    const sites = [site('b'), child('b-one', 'b', 1)];
    const tree = buildSiteTree({ sites, parents: [] }, { ...facts, currentSite: 'b' });
    expect(tree[0]?.autofocus).toBeUndefined();
    expect(tree[0]?.sites?.[0]?.autofocus).toBe(true);
  });

  test('2,000 sites in 500 groups become a tree', () => {
    const sites = Array.from({ length: 2000 }, (_, index) =>
      index % 4 === 0 ? site(`p${index}`) : child(`c${index}`, `p${index - (index % 4)}`, index),
    );
    expect(buildSiteTree({ sites, parents: [] }, facts)).toHaveLength(500);
  });
});
