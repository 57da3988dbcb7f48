// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { findSafeAddress, recoveryAddress } from './addresses.ts';
import payloads from './addresses.payloads.json' with { type: 'json' };

const origin = 'https://login.test';

describe('addresses that a server sends', () => {
  test.each(payloads)('$payload is followed only where it visibly leads', ({ payload }) => {
    const safe = findSafeAddress(payload, origin);
    if (safe === undefined) return;
    const url = new URL(safe);
    expect(url.protocol).toMatch(/^https?:$/);
    // what is followed is either this origin's own path, or an address that says its host openly
    if (url.origin !== origin) expect(payload).toMatch(/^https?:\/\/[^/\\]/i);
    else expect(url.pathname).not.toMatch(/^\/[/\\]/);
  });

  test('absolute http(s) addresses and paths of the own origin are followed', () => {
    expect(findSafeAddress('https://boards.example/a?b=c#d', origin)).toBe('https://boards.example/a?b=c#d');
    expect(findSafeAddress('/connect/authorize/x?y=z', origin)).toBe(
      'https://login.test/connect/authorize/x?y=z',
    );
  });

  test.each([
    undefined,
    '',
    'home',
    '//evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/\t/evil.test',
    '/..//evil.test',
    '/.//evil.test',
    '/%2e%2e//evil.test',
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'blob:https://login.test/x',
    'vbscript:x',
    'https:evil.test',
    'https:/evil.test',
    'http:///evil.test',
    'https://user:secret@evil.test/',
    'ftp://a.test/',
  ])('%j is not followed', (address) => {
    expect(findSafeAddress(address, origin)).toBeUndefined();
  });
});

describe('recovery addresses', () => {
  const returnUrl = `/connect/authorize/1?Client_Id=director&scope=openid%20profile&redirect_uri=${encodeURIComponent('https://b.example/cb?x=1&y=2')}`;

  test('tell the language and who asked', () => {
    const url = new URL(recoveryAddress('https://id.example/forgot?a=b', 'de', returnUrl) ?? '');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      a: 'b',
      culture: 'de',
      refererClientId: 'director',
      refererScopes: 'openid profile',
      refererRedirectUri: 'https://b.example/cb?x=1&y=2',
    });
  });

  test('say nothing that the return URL does not say, and are never unsafe', () => {
    expect(recoveryAddress('https://id.example/forgot', 'en', undefined)).toBe(
      'https://id.example/forgot?culture=en',
    );
    expect(recoveryAddress('javascript:alert(1)', 'en', returnUrl)).toBeUndefined();
  });
});
