import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { calls } from './index.ts';
import { preferenceCalls } from './preferences.ts';
import { recoveryCalls } from './recovery.ts';

describe('the preferences of a user', () => {
  test('have an address that differs from all calls of the specification and of recovery', () => {
    const otherPaths = Object.values({ ...calls, ...recoveryCalls }).map(({ path }) => path as string);
    expect(otherPaths).not.toContain(preferenceCalls.setPreferences.path);
    expect(preferenceCalls.setPreferences.method).toBe('POST');
  });

  test('accept true or false for each preference, and no unknown member', () => {
    const { body } = preferenceCalls.setPreferences;
    expect(v.is(body, { recentSitesFirst: true })).toBe(true);
    expect(v.is(body, { recentSitesFirst: false })).toBe(true);
    for (const wrong of [
      {},
      undefined,
      { recentSitesFirst: null },
      { recentSitesFirst: 'true' },
      { recentSitesFirst: true, personId: 'x' },
    ])
      expect(v.is(body, wrong)).toBe(false);
  });

  test('are optional in the site list', () => {
    const list = {
      sites: [],
      userFirstName: 'Dana',
      userLastName: 'Rivers',
      boardsUserName: 'drivers',
      directorToDoItemsEnabled: true,
    };
    expect(v.parse(calls.getSites.answer, list).recentSitesFirst).toBeUndefined();
    expect(v.is(calls.getSites.answer, { ...list, recentSitesFirst: true, recentSites: ['harbor'] })).toBe(
      true,
    );
  });
});
