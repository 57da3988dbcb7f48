import { describe, expect, test } from 'vitest';
import type { MessageKey } from './keys.ts';
import { createTranslator } from './translator.ts';

/** A key of these tests, which the English file does not have. */
const key = (name: string): MessageKey => name as MessageKey;

const messages = {
  plain: 'Sign in',
  nested: { hello: 'Hello {{ name }}, {{name}}' },
  many: { other: '{{count}} دقيقة', one: 'دقيقة', two: 'دقيقتان', few: '{{count}} دقائق' },
};

const faults: string[] = [];
const { t, find } = createTranslator('ar', messages, (what) => faults.push(what));

describe('a text', () => {
  test('is found by the path of its key', () => {
    expect(t(key('plain'))).toBe('Sign in');
  });

  test('has every placeholder filled, spaces inside the braces or not', () => {
    expect(t(key('nested.hello'), { name: 'Ada' })).toBe('Hello Ada, Ada');
  });

  test('shows a value as it is, whatever it looks like', () => {
    expect(t(key('nested.hello'), { name: '$& {{name}}' })).toBe('Hello $& {{name}}, $& {{name}}');
  });

  test('takes the plural form of its count, else the general one', () => {
    expect([1, 2, 3, 50].map((count) => t(key('many'), { count }))).toEqual([
      'دقيقة',
      'دقيقتان',
      '3 دقائق',
      '50 دقيقة',
    ]);
  });

  test('writes numbers in the digits that the code boxes show', () => {
    expect(t(key('many'), { count: 1200 })).toMatch(/^1.?200 /);
  });
});

describe('what is missing is told', () => {
  test('a key without a text', () => {
    expect(t(key('nested.nothing'))).toBe('nested.nothing');
    expect(faults).toContain('nested.nothing in ar');
  });

  test('a placeholder without a value', () => {
    t(key('nested.hello'));
    expect(faults).toContain('nested.hello {{name}} in ar');
  });

  test('but a key from outside is only not found', () => {
    const before = faults.length;
    expect(['x.y', 'nested', 'constructor', 'nested.__proto__.x', ''].map((name) => find(name))).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
    expect(find('nested.hello')).toBeUndefined();
    expect(faults).toHaveLength(before);
  });
});
