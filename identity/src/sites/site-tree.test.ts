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
  allowsAuthenticatorApps: false,
  directorToDosEnabled: true,
  entitlementRequirementsMet: true,
  clientEntitlement: 'none',
  isSignedInByCompany: false,
  seenBooks: [],
  ...more,
});
const child = (name: string, parent: string, sequence: number) =>
  site(name, { parentId: `id of ${parent}`, sequence });
const noFactors = { hasApp: false, hasPasskey: false, phoneNumber: undefined, verifiedEmail: undefined };
const knows = () => true;
const facts = {
  user: { owner: noFactors, methods: [], knows },
  mayAddFactors: true,
  mayUseCompany: true,
  currentSite: undefined,
};
const names = (entries: { name: string; sites?: { name: string }[] | null }[]) =>
  entries.map((entry) => [entry.name, ...(entry.sites ?? []).map(({ name }) => name)]);

describe('the list of sites', () => {
  test('orders single sites by display name and the sites of a group by sequence, the parent first [I19]', () => {
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

  test('reports for each site why the user cannot enter it [I22]', () => {
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

  const phone = { ...noFactors, phoneNumber: '+442079460142' };
  const app = { ...noFactors, hasApp: true };
  const appAndPhone = { ...phone, hasApp: true };
  const passkey = { ...noFactors, hasPasskey: true };
  const verified = { ...noFactors, verifiedEmail: 'dana@corp.example' };
  test.each([
    ['no factor', noFactors, [], ['passkey', 'totp', 'sms'], false],
    ['a phone number where each factor counts', phone, [], ['passkey', 'totp', 'sms'], true],
    ['a phone number where text messages do not count', phone, [], ['passkey', 'totp'], false],
    ['an app where text messages do not count', app, [], ['totp'], true],
    ['an app where only text messages count', app, [], ['sms'], false],
    ['an app and a phone number where only text messages count', appAndPhone, [], ['sms'], true],
    ['a passkey that can be asked for', passkey, [], ['passkey'], true],
    ['a passkey that was shown where it counts', noFactors, ['user'], ['passkey'], true],
    ['a passkey that was shown where it does not count', noFactors, ['user'], ['totp', 'sms'], false],
    ['a verified address where codes by mail count', verified, [], ['email'], true],
    ['a verified address where they do not count', verified, [], ['totp', 'sms'], false],
  ] as const)(
    'reports whether a site that requires a second factor accepts %s',
    (_name, owner, shown, counted, isOpen) => {
      const sites = [site('a', { asksForSecondFactor: true, secondFactors: counted })];
      const user = { owner, methods: shown.map((method) => ({ method })), knows };
      expect(buildSiteTree({ sites, parents: [] }, { ...facts, user })[0]).toMatchObject({
        mfaRequirementMet: isOpen,
      });
    },
  );

  test('blocks a site whose factor the page cannot ask for', () => {
    const sites = [site('a', { asksForSecondFactor: true })];
    const user = { owner: passkey, methods: [], knows: () => false };
    expect(buildSiteTree({ sites, parents: [] }, { ...facts, user })[0]).toMatchObject({
      mfaRequirementMet: false,
    });
  });

  test.each([
    [
      'the factor that it accepts, to a user with another one',
      phone,
      { secondFactors: ['totp'] },
      'add-totp',
    ],
    ['a phone number, where it counts', app, { secondFactors: ['sms'] }, 'add-sms'],
    ['a passkey, where only that counts', phone, { secondFactors: ['passkey'] }, 'add-passkey'],
    [
      'an app, to a user without a factor, if the site lets users add one',
      noFactors,
      { allowsAuthenticatorApps: true },
      'add-totp',
    ],
    ['nothing, to a user without a factor', noFactors, {}, undefined],
  ] as const)('offers as the remedy of a blocked site %s', (_name, owner, policy, remedy) => {
    const sites = [site('a', { asksForSecondFactor: true, ...policy })];
    const user = { owner, methods: [], knows };
    expect(buildSiteTree({ sites, parents: [] }, { ...facts, user })[0]?.mfaRemedy).toBe(remedy);
    expect(
      buildSiteTree({ sites, parents: [] }, { ...facts, user, mayAddFactors: false })[0]?.mfaRemedy,
    ).toBeUndefined();
  });

  test('offers the sign-in at the company that has signed the user in at the blocked site, before any factor', () => {
    const sites = [site('a', { asksForSecondFactor: true, isSignedInByCompany: true }), site('b')];
    const tree = buildSiteTree({ sites, parents: [] }, facts);
    expect(tree.map(({ mfaRemedy }) => mfaRemedy)).toEqual(['sign-in-at-company', undefined]);
    const switching = { ...facts, mayUseCompany: false };
    expect(buildSiteTree({ sites, parents: [] }, switching)[0]?.mfaRemedy).toBeUndefined();
  });

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
