import type { Site } from '@anteroom/contract';
import { describe, expect, test } from 'vitest';
import { findAutofocus, listSites } from './site-order.ts';

const siteOf = (name: string, more: Partial<Site> = {}): Site => ({
  name,
  displayName: name,
  sequence: 1,
  areEntitlementRequirementsMet: true,
  mfaRequirementMet: true,
  ...more,
});

describe('the order of the list', () => {
  test('top-level sites by display name, as the language sorts', () => {
    const sites = ['Zürich', 'Ärzte', 'Amber', 'Board 10', 'Board 9'].map((name) => siteOf(name));
    const names = (locale: 'en' | 'de'): string[] =>
      listSites(sites, locale).map((entry) => (entry.kind === 'site' ? entry.site.name : entry.name));
    expect(names('de')).toEqual(['Amber', 'Ärzte', 'Board 9', 'Board 10', 'Zürich']);
  });

  test('children by sequence whatever their names, the parent before them', () => {
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

  test('a site with an empty list of children is a site', () => {
    expect(listSites([siteOf('one', { sites: [] })], 'en')).toMatchObject([{ kind: 'site' }]);
  });
});

describe('the entry that asks for the focus', () => {
  test('is found in a group too', () => {
    const listed = listSites(
      [siteOf('a'), siteOf('b', { sites: [siteOf('b1'), siteOf('b2', { autofocus: true })] })],
      'en',
    );
    expect(findAutofocus(listed)).toEqual({ index: 1, name: 'b2' });
  });

  test('is nowhere when none asks', () => {
    expect(findAutofocus(listSites([siteOf('a')], 'en'))).toBeUndefined();
  });
});
