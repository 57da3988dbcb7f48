import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildAuthorizeUrl, buildReturnUrl, parseReturnUrl } from './return-url.ts';

const publicUrl = 'https://id.example';

describe('a return URL', () => {
  test('contains the id of the sign-in, then its parameters in a fixed order, client_id first [I18]', () => {
    const built = buildReturnUrl('abcdefghijklmnop', {
      state: 's',
      redirect_uri: 'https://app.example/cb',
      scope: 'openid',
      client_id: 'c',
    });
    expect(built).toBe(
      '/connect/authorize/abcdefghijklmnop?client_id=c&scope=openid&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&state=s',
    );
  });

  test('does not depend on the order of its parameters', () => {
    const one = buildReturnUrl('abcdefghijklmnop', { state: 's', nonce: 'n', client_id: 'c' });
    expect(buildReturnUrl('abcdefghijklmnop', { client_id: 'c', nonce: 'n', state: 's' })).toBe(one);
  });

  test('is accepted as a path or with the origin of the service, with or without an id', () => {
    const path = '/connect/authorize/abcdefghijklmnop?client_id=c';
    expect(parseReturnUrl(path, publicUrl)?.uid).toBe('abcdefghijklmnop');
    expect(parseReturnUrl(`${publicUrl}${path}`, publicUrl)?.uid).toBe('abcdefghijklmnop');
    const unnamed = parseReturnUrl('/connect/authorize?client_id=c', publicUrl);
    expect(unnamed?.uid).toBeUndefined();
    expect(unnamed?.parameters.get('client_id')).toBe('c');
  });

  test.each([
    undefined,
    '',
    '/',
    '/ui/account/login',
    '/connect/authorize/../token',
    '/connect/token',
    '/connect/authorize/short',
    `/connect/authorize/${'a'.repeat(65)}`,
    '/connect/authorize/abcdefghijklmnop/more',
    'https://id.example.evil.test/connect/authorize?x=1',
    'http://id.example/connect/authorize?x=1',
  ])('%s is invalid', (text) => {
    expect(parseReturnUrl(text, publicUrl)).toBeUndefined();
  });
});

describe('untrusted input is never used as an address [S01]', () => {
  const payloads = readPayloads();

  test.each(payloads.map((payload) => [payload]))('%j is rejected', (payload) => {
    for (const text of [
      payload,
      encodeURIComponent(payload),
      `/connect/authorize/${payload}`,
      `//x/${payload}`,
    ]) {
      const parsed = parseReturnUrl(text, publicUrl);
      if (parsed === undefined) continue;
      const rebuilt = new URL(buildAuthorizeUrl(parsed.parameters), publicUrl);
      expect(rebuilt.origin).toBe(publicUrl);
      expect(rebuilt.pathname).toBe('/connect/authorize');
    }
  });

  function readPayloads(): string[] {
    const file = new URL('../../testing/open-redirect-payloads.json', import.meta.url);
    return JSON.parse(readFileSync(file, 'utf8')) as string[];
  }
});
