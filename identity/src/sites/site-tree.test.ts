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
  secondFactors: ['passkey', 'totp', 'sms'],
  directorToDosEnabled: true,
  entitlementRequirementsMet: true,
  clientEntitlement: 'none',
  seenBooks: [],
  ...more,
});
const child = (name: string, parent: string, sequence: number) =>
  site(name, { parentId: `id of ${parent}`, sequence });
const noFactors = { secondFactor: undefined, phoneNumber: undefined, shown: [] };
const facts = { factors: noFactors, currentSite: undefined };
const names = (entries: { name: string; sites?: { name: string }[] | null }[]) =>
  entries.map((entry) => [entry.name, ...(entry.sites ?? []).map(({ name }) => name)]);

describe('the list of sites', () => {
  test('orders single sites by display name and the sites of a group by sequence, the parent first', () => {
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

  test('a parent without membership is only the header of its group', () => {
    const [group, ...rest] = buildSiteTree(
      { sites: [child('b-one', 'b', 1)], parents: [site('b', { displayName: 'Parent' })] },
      facts,
    );
    expect(rest).toEqual([]);
    expect(group).toMatchObject({ name: 'b', displayName: 'Parent', sites: [{ name: 'b-one' }] });
  });

  test('lists a child without its parent as a single site', () => {
    expect(names(buildSiteTree({ sites: [child('lost', 'gone', 1)], parents: [] }, facts))).toEqual([
      ['lost'],
    ]);
  });

  test('lists a deeper site in the group of its topmost parent', () => {
    const sites = [site('a'), child('a-b', 'a', 1), child('a-b-c', 'a-b', 2)];
    expect(names(buildSiteTree({ sites, parents: [] }, facts))).toEqual([['a', 'a', 'a-b', 'a-b-c']]);
  });

  test('lists sites with a cycle of parents singly', () => {
    const sites = [child('a', 'b', 1), child('b', 'c', 1), child('c', 'a', 1), child('d', 'a', 1)];
    expect(
      names(buildSiteTree({ sites, parents: [] }, facts))
        .flat()
        .toSorted(),
    ).toEqual(['a', 'b', 'c', 'd']);
  });

  test('reports for each site why the user cannot enter it', () => {
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
  });

  const phone = { secondFactor: 'sms', phoneNumber: '+442079460142', shown: [] } as const;
  const app = { secondFactor: 'totp', phoneNumber: undefined, shown: [] } as const;
  const appAndPhone = { ...phone, secondFactor: 'totp' } as const;
  const passkey = { ...noFactors, shown: ['passkey'] } as const;
  test.each([
    ['no factor', noFactors, ['passkey', 'totp', 'sms'], false],
    ['a phone number where each factor counts', phone, ['passkey', 'totp', 'sms'], true],
    ['a phone number where text messages do not count', phone, ['passkey', 'totp'], false],
    ['an app where text messages do not count', app, ['totp'], true],
    ['an app where only text messages count', app, ['sms'], false],
    ['an app and a phone number where only text messages count', appAndPhone, ['sms'], true],
    ['a passkey that was shown where it counts', passkey, ['passkey'], true],
    ['a passkey that was shown where it does not count', passkey, ['totp', 'sms'], false],
  ] as const)(
    'reports whether a site that requires a second factor accepts %s',
    (_name, factors, counted, isOpen) => {
      const sites = [site('a', { asksForSecondFactor: true, secondFactors: counted })];
      expect(buildSiteTree({ sites, parents: [] }, { ...facts, factors })[0]).toMatchObject({
        mfaRequirementMet: isOpen,
      });
    },
  );

  test('gives the focus to the current site once', () => {
    const sites = [site('b'), child('b-one', 'b', 1)];
    const tree = buildSiteTree({ sites, parents: [] }, { ...facts, currentSite: 'b' });
    expect(tree[0]?.autofocus).toBeUndefined();
    expect(tree[0]?.sites?.[0]?.autofocus).toBe(true);
  });

  test('builds a tree from 2,000 sites in 500 groups', () => {
    const sites = Array.from({ length: 2000 }, (_, index) =>
      index % 4 === 0 ? site(`p${index}`) : child(`c${index}`, `p${index - (index % 4)}`, index),
    );
    expect(buildSiteTree({ sites, parents: [] }, facts)).toHaveLength(500);
  });
});
