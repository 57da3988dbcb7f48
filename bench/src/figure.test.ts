import { describe, expect, test } from 'vitest';
import { isWithinBudget, median, percentile, toTable } from './figure.ts';

describe('figures', () => {
  test('hold when they are within their budget, whichever way it points', () => {
    const figure = { what: 'a', value: 90, unit: 'kB' } as const;
    expect(isWithinBudget(figure)).toBe(true);
    expect(isWithinBudget({ ...figure, budget: { atMost: 90 } })).toBe(true);
    expect(isWithinBudget({ ...figure, budget: { atMost: 89.9 } })).toBe(false);
    expect(isWithinBudget({ ...figure, budget: { atLeast: 90 } })).toBe(true);
    expect(isWithinBudget({ ...figure, budget: { atLeast: 91 } })).toBe(false);
  });

  test('stand in a table that says which of them fail', () => {
    expect(toTable([{ what: 'weight', value: 91.26, unit: 'kB', budget: { atMost: 90 } }])).toBe(
      [
        '| what   | measured | budget  | holds |',
        '| ------ | -------- | ------- | ----- |',
        '| weight | 91.3 kB  | ≤ 90 kB | NO    |',
      ].join('\n'),
    );
  });

  test('the median is the middle, the 95th percentile what 95 of 100 stay under', () => {
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
