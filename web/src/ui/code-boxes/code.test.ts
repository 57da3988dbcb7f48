import { describe, expect, test } from 'vitest';
import { countEnabledBoxes, enterText, eraseLast, moveFocus, pasteText } from './code.ts';

describe('a box is enabled if it is filled or the next to fill', () => {
  test.each([
    ['', 1],
    ['4', 2],
    ['47123', 6],
    ['471234', 6],
  ])('%j enables %i [2.50]', (code, count) => {
    expect(countEnabledBoxes(code, 6)).toBe(count);
  });
});

describe('typing', () => {
  test('a digit fills the box and moves to the next', () => {
    expect(enterText('47', 2, '1', 6)).toEqual({ code: '471', focus: 3 });
  });

  test('the last digit stays in the last box', () => {
    expect(enterText('47123', 5, '4', 6)).toEqual({ code: '471234', focus: 5 });
  });

  test('a digit in a filled box replaces the old digit, typed before or after it', () => {
    expect(enterText('471', 1, '79', 6)).toEqual({ code: '491', focus: 2 });
    expect(enterText('471', 1, '97', 6)).toEqual({ code: '491', focus: 2 });
    expect(enterText('471', 1, '77', 6)).toEqual({ code: '471', focus: 2 });
  });

  test('anything but a digit is ignored', () => {
    for (const text of ['a', '-', ' ', '½', '④']) expect(enterText('47', 2, text, 6)).toBeUndefined();
  });

  test('digits of the keyboards of all supported languages are accepted', () => {
    expect(enterText('', 0, '٤', 6)?.code).toBe('4');
    expect(enterText('', 0, '۴', 6)?.code).toBe('4');
    expect(enterText('', 0, '４', 6)?.code).toBe('4');
    expect(pasteText('', 0, '४७१०२९', 6)?.code).toBe('471029');
  });

  test('clearing a box without a key press works like Backspace', () => {
    expect(enterText('471', 0, '', 6)).toEqual({ code: '47', focus: 2 });
  });
});

describe('a whole code', () => {
  test('from autofill in the first box fills all boxes [2.54]', () => {
    expect(enterText('', 0, '471234', 6)).toEqual({ code: '471234', focus: 5 });
  });

  test('replaces earlier input', () => {
    expect(enterText('9', 0, '471234', 6)).toEqual({ code: '471234', focus: 5 });
    expect(pasteText('99', 2, '471-234', 6)).toEqual({ code: '471234', focus: 5 });
  });

  test('loses non-digits and surplus digits [2.54]', () => {
    expect(pasteText('', 0, '98 76-54 321', 6)).toEqual({ code: '987654', focus: 5 });
  });

  test('with too few digits continues from the box', () => {
    expect(pasteText('', 0, '12-3 a4', 6)).toEqual({ code: '1234', focus: 4 });
    expect(pasteText('47', 2, '12', 6)).toEqual({ code: '4712', focus: 4 });
  });

  test('without digits changes nothing', () => {
    expect(pasteText('47', 2, 'hello', 6)).toBeUndefined();
  });
});

describe('Backspace', () => {
  test('clears the last filled box and focuses it', () => {
    expect(eraseLast('471')).toEqual({ code: '47', focus: 2 });
    expect(eraseLast('471234')).toEqual({ code: '47123', focus: 5 });
  });

  test('in empty boxes stays in the first box', () => {
    expect(eraseLast('')).toEqual({ code: '', focus: 0 });
  });
});

describe('arrow keys', () => {
  test('move one box and stop at the ends', () => {
    expect(moveFocus('ArrowLeft', 3, '471', 6)).toBe(2);
    expect(moveFocus('ArrowRight', 1, '471', 6)).toBe(2);
    expect(moveFocus('ArrowLeft', 0, '471', 6)).toBe(0);
    expect(moveFocus('ArrowRight', 5, '471234', 6)).toBe(5);
  });

  test('do not enter a disabled box', () => {
    expect(moveFocus('ArrowRight', 3, '471', 6)).toBe(3);
    expect(moveFocus('End', 0, '471', 6)).toBe(3);
    expect(moveFocus('Home', 3, '471', 6)).toBe(0);
  });
});
