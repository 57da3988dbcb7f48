import { describe, expect, test } from 'vitest';
import { isWithinBudget, median, percentile, toTable } from './figure.ts';

describe('figures', () => {
  test('are within their budget, whether it is a minimum or a maximum', () => {
    const figure = { what: 'a', value: 90, unit: 'kB' } as const;
    expect(isWithinBudget(figure)).toBe(true);
    expect(isWithinBudget({ ...figure, budget: { atMost: 90 } })).toBe(true);
    expect(isWithinBudget({ ...figure, budget: { atMost: 89.9 } })).toBe(false);
    expect(isWithinBudget({ ...figure, budget: { atLeast: 90 } })).toBe(true);
    expect(isWithinBudget({ ...figure, budget: { atLeast: 91 } })).toBe(false);
  });

  test('are shown in a table that marks each figure outside its budget', () => {
    expect(toTable([{ what: 'weight', value: 91.26, unit: 'kB', budget: { atMost: 90 } }])).toBe(
      [
        '| what   | measured | budget  | holds |',
        '| ------ | -------- | ------- | ----- |',
        '| weight | 91.3 kB  | ≤ 90 kB | NO    |',
      ].join('\n'),
    );
  });

  test('the median is the middle value, and 95 of 100 values do not exceed the 95th percentile', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(
      percentile(
        Array.from({ length: 100 }, (_, index) => index + 1),
        0.95,
      ),
    ).toBe(95);
    expect(percentile([7], 0.95)).toBe(7);
  });
});
