import type { Site } from '@anteroom/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countSites, createSiteSearch, firstSites, listSites, sitesOf } from './listed-sites.ts';

const siteOf = (displayName: string, more: Partial<Site> = {}): Site => ({
  name: displayName.toLowerCase(),
  displayName,
  sequence: 1,
  areEntitlementRequirementsMet: true,
  mfaRequirementMet: true,
  ...more,
});

describe('the order of the list', () => {
  test('top-level sites are sorted by display name in the language [2.59, 4.27]', () => {
    const sites = ['Zürich', 'Ärzte', 'Amber', 'Board 10', 'Board 9'].map((name) => siteOf(name));
    const names = (locale: 'en' | 'de'): string[] =>
      listSites(sites, locale).map((entry) =>
        entry.kind === 'site' ? entry.site.displayName : entry.displayName,
      );
    expect(names('de')).toEqual(['Amber', 'Ärzte', 'Board 9', 'Board 10', 'Zürich']);
  });

  test('children are sorted by sequence, after their parent [2.59, 4.27]', () => {
    const children = [
      siteOf('alpha', { sequence: 3 }),
      siteOf('beta', { sequence: 2 }),
      siteOf('parent', { sequence: 9 }),
    ];
    const [group] = listSites([siteOf('parent', { displayName: 'Parent', sites: children })], 'en');
    expect(group).toMatchObject({
      kind: 'group',
      displayName: 'Parent',
      sites: [{ name: 'parent' }, { name: 'beta' }, { name: 'alpha' }],
    });
  });

  test('a site with an empty list of children is a single site [3.7]', () => {
    expect(listSites([siteOf('one', { sites: [] })], 'en')).toMatchObject([{ kind: 'site' }]);
  });
});

const listed = listSites(
  [
    siteOf('Northwind', { sites: [siteOf('Audit Committee'), siteOf('Board of Directors')] }),
    siteOf('Harbor Trust'),
    siteOf('Société Générale'),
    siteOf('Trust Audit'),
  ],
  'en',
);
const found = (query: string): string[] =>
  createSiteSearch(listed)(query).flatMap((entry) => sitesOf(entry).map(({ displayName }) => displayName));

describe('a search', () => {
  test('matches any part of the display name, regardless of case and accents', () => {
    expect(found('genera')).toEqual(['Société Générale']);
    expect(found('TRUST')).toEqual(['Harbor Trust', 'Trust Audit']);
  });

  test('a matching group keeps all its children', () => {
    expect(found('northw')).toEqual(['Audit Committee', 'Board of Directors']);
  });

  test('every word must match the name or the name of the group', () => {
    expect(found('northwind audit')).toEqual(['Audit Committee']);
    expect(found('audit trust')).toEqual(['Trust Audit']);
    expect(found('audit nowhere')).toEqual([]);
  });

  test('a word does not match across the names of group and site', () => {
    expect(found('northwindaudit')).toEqual([]);
  });

  test('an empty query matches everything, in the same order', () => {
    expect(createSiteSearch(listed)('  ')).toBe(listed);
  });

  test('any part of a name matches', () => {
    const name = fc.stringMatching(/^[a-zäöüßéñşğıΑ-Ωا-ي一-龥 ]{1,20}$/).filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(name, fc.nat(19), fc.nat(19), (displayName, from, length) => {
        const site = siteOf(displayName);
        const part = displayName.slice(from, from + length + 1);
        const entries = createSiteSearch([{ kind: 'site', site }])(part);
        expect(entries).toEqual([{ kind: 'site', site }]);
      }),
    );
  });
});

describe('the beginning of a list', () => {
  test('has at most the given number of sites, splitting a group if necessary', () => {
    for (let count = 0; count <= 6; count += 1)
      expect(countSites(firstSites(listed, count))).toBe(Math.min(count, 5));
  });

  test('reuses complete entries', () => {
    expect(firstSites(listed, 5)).toEqual(listed);
    expect(firstSites(listed, 5)[1]).toBe(listed[1]);
  });
});
