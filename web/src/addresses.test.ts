// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { findSafeAddress, recoveryAddress, removeUnsafeAddresses } from './addresses.ts';
import payloads from './addresses.payloads.json' with { type: 'json' };

const origin = 'https://login.test';

describe('addresses from a server', () => {
  test.each(payloads)('$payload is followed only to the host that it visibly names [S01]', ({ payload }) => {
    const safe = findSafeAddress(payload, origin);
    if (safe === undefined) return;
    const url = new URL(safe);
    expect(url.protocol).toMatch(/^https?:$/);
    // A followed address is a path of this origin or an address that states its host.
    if (url.origin !== origin) expect(payload).toMatch(/^https?:\/\/[^/\\]/i);
    else expect(url.pathname).not.toMatch(/^\/[/\\]/);
  });

  test('absolute http(s) addresses and same-origin paths are followed', () => {
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

test('unsafe addresses are removed from an answer; its other members stay', () => {
  const answer = {
    identityServiceUrl: 'javascript:alert(1)',
    cancelRedirectUri: '//evil.example/',
    signOutIFrameUrl: '',
    forgotPasswordUrl: 'https://boards.example/a',
    originalClientUri: '/connect/a',
    location: 'javascript:alert(1)',
  };
  removeUnsafeAddresses(answer);
  expect(answer).toEqual({
    forgotPasswordUrl: 'https://boards.example/a',
    originalClientUri: '/connect/a',
    location: 'javascript:alert(1)',
  });
});

describe('recovery addresses', () => {
  const returnUrl = `/connect/authorize/1?Client_Id=director&scope=openid%20profile&redirect_uri=${encodeURIComponent('https://b.example/cb?x=1&y=2')}`;

  test('carry the language and the requesting client', () => {
    const url = new URL(recoveryAddress('https://id.example/forgot?a=b', 'de', returnUrl) ?? '');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      a: 'b',
      culture: 'de',
      refererClientId: 'director',
      refererScopes: 'openid profile',
      refererRedirectUri: 'https://b.example/cb?x=1&y=2',
    });
  });

  test('contain only parameters of the return URL, and are undefined for an unsafe address', () => {
    expect(recoveryAddress('https://id.example/forgot', 'en', undefined)).toBe(
      'https://id.example/forgot?culture=en',
    );
    expect(recoveryAddress('javascript:alert(1)', 'en', returnUrl)).toBeUndefined();
  });
});
