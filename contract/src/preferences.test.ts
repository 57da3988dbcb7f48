import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { calls } from './index.ts';
import { preferenceCalls } from './preferences.ts';
import { recoveryCalls } from './recovery.ts';

describe('the preferences of a person', () => {
  test('stand beside the 25 of the specification and the calls of recovery, at an address of their own', () => {
    const taken = Object.values({ ...calls, ...recoveryCalls }).map(({ path }) => path as string);
    expect(taken).not.toContain(preferenceCalls.setPreferences.path);
    expect(preferenceCalls.setPreferences.method).toBe('POST');
  });

  test('are said in full: a choice is on or off, and nothing else may be set', () => {
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

  test('a list of sites need not offer them', () => {
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
