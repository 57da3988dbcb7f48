import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { calls } from './index.ts';
import type { Call } from './index.ts';
import { recoveryCalls } from './recovery.ts';
import type { RecoveryCallName } from './recovery.ts';

describe('the calls of recovery', () => {
  test('have addresses below /api/ui/recovery/ that differ from all calls of the specification', () => {
    const specifiedPaths = new Set<string>(Object.values(calls).map(({ path }) => path));
    for (const { path } of Object.values(recoveryCalls)) {
      expect(path).toMatch(/^\/api\/ui\/recovery\//);
      expect(specifiedPaths.has(path)).toBe(false);
    }
    expect(Object.keys(calls).filter((name) => name in recoveryCalls)).toEqual([]);
  });

  test('a call that sends a message or sets a password is a POST', () => {
    const changing: RecoveryCallName[] = ['sendPasswordLink', 'sendSiteNames', 'setNewPassword'];
    for (const name of changing) expect(recoveryCalls[name].method, name).toBe('POST');
  });

  test('a token is never part of an address', () => {
    for (const [name, call] of Object.entries<Call>(recoveryCalls)) {
      expect(call.path, name).not.toMatch(/:/);
      expect(v.is(call.query ?? v.strictObject({}), { token: 'x' }), name).toBe(false);
    }
  });

  test('the user name and the e-mail address have a maximum length', () => {
    const { body } = recoveryCalls.sendPasswordLink;
    expect(v.is(body, { userName: 'ada' })).toBe(true);
    expect(v.is(body, { userName: '' })).toBe(false);
    expect(v.is(body, { userName: 'a'.repeat(101) })).toBe(false);
    expect(v.is(recoveryCalls.sendSiteNames.body, { email: 'a'.repeat(255) })).toBe(false);
  });
});
