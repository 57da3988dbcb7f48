import { describe, expect, test } from 'vitest';
import { createTypeAhead, indexAfterKey } from './list-keys.ts';

describe('keys in the list', () => {
  test.each([
    ['ArrowDown', 3, 4],
    ['ArrowDown', 9, 9],
    ['ArrowUp', 3, 2],
    ['ArrowUp', 0, -1],
    ['Home', 3, 0],
    ['End', 3, 9],
  ])('%s from index %i of ten moves to %i', (key, from, to) => {
    expect(indexAfterKey(key, from, 10)).toBe(to);
  });

  test.each(['ArrowLeft', 'ArrowRight', 'Enter', ' ', 'Tab', 'PageDown', 'Escape'])(
    '%j is not handled',
    (key) => {
      expect(indexAfterKey(key, 3, 10)).toBeUndefined();
    },
  );
});

describe('typing a name', () => {
  const names = ['Amber', 'Ärzte', 'Harbor Trust', 'Harvest', 'São Paulo', 'مجلس إدارة'];

  /** The indexes after each letter, typed with a pause between them. */
  function typed(letters: string, pauseMs = 100, from = 0): (number | undefined)[] {
    const typeAhead = createTypeAhead();
    let place = from;
    return letters.split('').map((letter, index) => {
      const next = typeAhead.type(letter, index * pauseMs, place, names);
      place = next ?? place;
      return next;
    });
  }

  test('moves to the first name that begins with the letters', () => {
    expect(typed('harv')).toEqual([2, 2, 2, 3]);
  });

  test('ignores case and accents', () => {
    expect(typed('SAO')).toEqual([4, 4, 4]);
    expect(typed('مجلس ا'.replace(' ', ''))).toEqual([5, 5, 5, 5, 5]);
  });

  test('a repeated letter moves to the next match and wraps around', () => {
    expect(typed('hhh')).toEqual([2, 3, 2]);
    expect(typed('a')).toEqual([1]);
  });

  test('a pause starts a new search', () => {
    expect(typed('hs', 100)).toEqual([2, undefined]);
    expect(typed('hs', 1001)).toEqual([2, 4]);
  });

  test('without a match nothing moves, and a space is not a letter', () => {
    expect(typed('x')).toEqual([undefined]);
    expect(typed(' ')).toEqual([undefined]);
  });
});
