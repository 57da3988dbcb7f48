import { describe, expect, test } from 'vitest';
import type { MessageKey } from './keys.ts';
import { createTranslator } from './translator.ts';

/** A test key that the English file does not have. */
const key = (name: string): MessageKey => name as MessageKey;

const messages = {
  plain: 'Sign in',
  nested: { hello: 'Hello {{ name }}, {{name}}' },
  many: { other: '{{count}} دقيقة', one: 'دقيقة', two: 'دقيقتان', few: '{{count}} دقائق' },
};

const faults: string[] = [];
const { t, find } = createTranslator('ar', messages, (what) => faults.push(what));

describe('a text', () => {
  test('is found by its key path', () => {
    expect(t(key('plain'))).toBe('Sign in');
  });

  test('has all placeholders filled, with or without spaces inside the braces', () => {
    expect(t(key('nested.hello'), { name: 'Ada' })).toBe('Hello Ada, Ada');
  });

  test('shows a value verbatim, even if it contains placeholder syntax', () => {
    expect(t(key('nested.hello'), { name: '$& {{name}}' })).toBe('Hello $& {{name}}, $& {{name}}');
  });

  test('has the plural form of its count, or the general form if that plural form is missing', () => {
    expect([1, 2, 3, 50].map((count) => t(key('many'), { count }))).toEqual([
      'دقيقة',
      'دقيقتان',
      '3 دقائق',
      '50 دقيقة',
    ]);
  });

  test('writes numbers with Western digits, like the code boxes', () => {
    expect(t(key('many'), { count: 1200 })).toMatch(/^1.?200 /);
  });
});

test.each([
  ['en', 'One. Two.'],
  ['ja', 'One.Two.'],
] as const)('sentences are joined with the space of the language: %s', (locale, joined) => {
  const { sentences } = createTranslator(locale, { one: 'One.', two: 'Two.' }, () => {});
  expect(sentences(key('one'), key('two'))).toBe(joined);
});

describe('missing texts are reported', () => {
  test('a key without a text is reported', () => {
    expect(t(key('nested.nothing'))).toBe('nested.nothing');
    expect(faults).toContain('nested.nothing in ar');
  });

  test('a placeholder without a value is reported', () => {
    t(key('nested.hello'));
    expect(faults).toContain('nested.hello {{name}} in ar');
  });

  test('an unknown key from outside is not found and not reported', () => {
    const before = faults.length;
    expect(['x.y', 'nested', 'constructor', 'nested.__proto__.x', ''].map((name) => find(name))).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
    expect(find('nested.hello')).toBeUndefined();
    expect(faults).toHaveLength(before);
  });
});
