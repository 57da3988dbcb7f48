import { describe, expect, test } from 'vitest';
import { findWays } from './second-factor-ways.ts';

const all = ['totp', 'sms', 'passkey', 'email', 'recovery-code'].map((name) => ({ name }));

const waysOf = (names: readonly string[], canUsePasskeys: boolean): string[] =>
  findWays(
    names.map((name) => ({ name })),
    canUsePasskeys,
  ).map(({ way }) => way);

describe('the ways to prove a second factor', () => {
  test('are those that the service lists, in its order, with their hints', () => {
    const listed = [
      { name: 'email', hint: 'd…r@demo.example' },
      { name: 'sms', hint: '42' },
    ];
    expect(findWays(listed, true)).toEqual([
      { way: 'email', hint: 'd…r@demo.example' },
      { way: 'sms', hint: '42' },
    ]);
    expect(
      waysOf(
        all.map(({ name }) => name),
        true,
      ),
    ).toEqual(all.map(({ name }) => name));
  });

  test('leave out names that this page does not know', () => {
    expect(waysOf(['voice', 'sms', 'constructor'], true)).toEqual(['sms']);
    expect(waysOf(['voice'], true)).toEqual([]);
  });

  test('start with the next one if the browser cannot use passkeys', () => {
    expect(waysOf(['passkey', 'email', 'recovery-code'], false)).toEqual(['email', 'recovery-code']);
  });

  test('include a passkey that the browser cannot use if there is nothing else', () => {
    expect(waysOf(['passkey', 'voice'], false)).toEqual(['passkey']);
  });
});
