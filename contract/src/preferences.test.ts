import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { calls } from './index.ts';
import { preferenceCalls } from './preferences.ts';
import { recoveryCalls } from './recovery.ts';

describe('the preferences of a user', () => {
  test('have addresses that differ from all calls of the specification and of recovery', () => {
    const otherPaths = Object.values({ ...calls, ...recoveryCalls }).map(({ path }) => path as string);
    for (const { path, method } of Object.values(preferenceCalls)) {
      expect(otherPaths).not.toContain(path);
      expect(method).toBe('POST');
    }
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
    expect(v.parse(calls.getSites.answer, list)).toEqual(list);
    expect(v.is(calls.getSites.answer, { ...list, pinnedSites: ['harbor'] })).toBe(true);
    expect(v.is(calls.getSites.answer, { ...list, recentSitesFirst: true, recentSites: ['harbor'] })).toBe(
      true,
    );
  });
});
