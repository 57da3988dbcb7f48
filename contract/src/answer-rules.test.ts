import { expect, test } from 'vitest';
import { findContradictions } from './answer-rules.ts';
import { calls } from './index.ts';
import type { CallName } from './index.ts';

const context = {
  selectSite: false,
  allowDefaultSiteEntry: true,
  allowUserNameEntry: true,
  allowPasswordEntry: true,
  reauthRequested: false,
};
const none = { state: 'none', isExternallyAuthenticated: false };
const site = {
  name: 'harbor',
  displayName: 'Harbor Trust',
  sequence: 0,
  areEntitlementRequirementsMet: true,
  mfaRequirementMet: true,
};
const account = {
  id: 'one',
  name: 'Dana Whitfield',
  userName: 'dana',
  site: 'harbor',
  siteDisplayName: 'Harbor Trust',
};
const list = { userFirstName: 'A', userLastName: 'B', boardsUserName: 'ab', directorToDoItemsEnabled: true };

test.each<[CallName, good: object, bad: object]>([
  ['authenticate', { status: 'Redirect', location: '/done' }, { status: 'redirect' }],
  ['selectSite', { status: 'password_required' }, { status: 'password_required', location: '/done' }],
  [
    'passwordReset',
    { status: 'second_factor_required', mfaPhoneNumberSuffix: '42' },
    { status: 'select_site_required', mfaPhoneNumberSuffix: '42' },
  ],
  ['getAuthContext', { ...context, session: none }, { ...context, session: { ...none, authSite: 'harbor' } }],
  [
    'getRefreshContext',
    { ...context, selectSite: true, session: { ...none, state: 'valid' } },
    { ...context, selectSite: true, session: none },
  ],
  [
    'getAuthContext',
    { ...context, session: none, rememberedAccounts: [account] },
    { ...context, session: { ...none, state: 'valid' }, rememberedAccounts: [account] },
  ],
  [
    'getAuthContext',
    { ...context, session: none, rememberedAccounts: [account, account, account] },
    { ...context, session: none, rememberedAccounts: [account, account, account, account] },
  ],
  [
    'getAuthContext',
    { ...context, session: none, loginHint: 'dana', rememberedAccounts: [] },
    { ...context, session: none, loginHint: 'dana', rememberedAccounts: [account] },
  ],
  [
    'getLogoutContext',
    { requiresConfirmation: true, showCancelButton: true, postLogoutRedirectUri: '/a' },
    { requiresConfirmation: true, showCancelButton: true },
  ],
  [
    'getSiteExistence',
    { siteExists: false },
    { siteExists: false, identityServiceUrl: 'https://id.example' },
  ],
  [
    'getSites',
    { ...list, sites: [{ ...site, sites: [site] }] },
    { ...list, sites: [site, { ...site, name: 'group', sites: [site] }] },
  ],
  [
    'getSites',
    { ...list, sites: [{ ...site, autofocus: true }] },
    {
      ...list,
      sites: [
        { ...site, autofocus: true },
        { ...site, name: 'summit', autofocus: true },
      ],
    },
  ],
  [
    'getSites',
    { ...list, sites: [site], recentSitesFirst: true, recentSites: ['harbor'] },
    { ...list, sites: [site], recentSites: ['harbor'] },
  ],
  ['getRetry', { retry: true }, { retry: 'yes' }],
])('%s: accepts %j and reports one contradiction in %j', (name, good, bad) => {
  expect(findContradictions(name, calls[name], good)).toEqual([]);
  expect(findContradictions(name, calls[name], bad)).toHaveLength(1);
});

test('a contradiction names the member and the expected type, never the value', () => {
  const answer = { allowPasswordEntry: 'a secret' };
  expect(findContradictions('getSiteSettings', calls.getSiteSettings, answer)).toEqual([
    'allowPasswordEntry is not boolean',
  ]);
  expect(findContradictions('getSiteSettings', calls.getSiteSettings, {})).toEqual([
    'allowPasswordEntry is missing',
  ]);
});
