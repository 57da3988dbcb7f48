import { describe, expect, test } from 'vitest';
import { createTypeAhead, placeAfterKey } from './list-keys.ts';

describe('keys in the list', () => {
  test.each([
    ['ArrowDown', 3, 4],
    ['ArrowDown', 9, 9],
    ['ArrowUp', 3, 2],
    ['ArrowUp', 0, -1],
    ['Home', 3, 0],
    ['End', 3, 9],
  ])('%s from place %i of ten leads to %i', (key, from, to) => {
    expect(placeAfterKey(key, from, 10)).toBe(to);
  });

  test.each(['ArrowLeft', 'ArrowRight', 'Enter', ' ', 'Tab', 'PageDown', 'Escape'])(
    '%j is left alone',
    (key) => {
      expect(placeAfterKey(key, 3, 10)).toBeUndefined();
    },
  );
});

describe('typing a name', () => {
  const names = ['Amber', 'Ärzte', 'Harbor Trust', 'Harvest', 'São Paulo', 'مجلس إدارة'];

  /** Where the letters lead, each so long after the one before. */
  function typed(letters: string, pauseMs = 100, from = 0): (number | undefined)[] {
    const typeAhead = createTypeAhead();
    let place = from;
    return letters.split('').map((letter, index) => {
      const next = typeAhead.type(letter, index * pauseMs, place, names);
      place = next ?? place;
      return next;
    });
  }

  test('leads to the first name that begins with it', () => {
    expect(typed('harv')).toEqual([2, 2, 2, 3]);
  });

  test('case and accents do not matter', () => {
    expect(typed('SAO')).toEqual([4, 4, 4]);
    expect(typed('مجلس ا'.replace(' ', ''))).toEqual([5, 5, 5, 5, 5]);
  });

  test('the same letter again goes on to the next such name, and round the end', () => {
    expect(typed('hhh')).toEqual([2, 3, 2]);
    expect(typed('a')).toEqual([1]);
  });

  test('after a pause a new word begins', () => {
    expect(typed('hs', 100)).toEqual([2, undefined]);
    expect(typed('hs', 1001)).toEqual([2, 4]);
  });

  test('what begins no name leads nowhere, and a space is no letter', () => {
    expect(typed('x')).toEqual([undefined]);
    expect(typed(' ')).toEqual([undefined]);
  });
});
