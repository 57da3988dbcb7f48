import { expect, test } from 'vitest';
import { parseConfig } from '../config.ts';
import { largestCountInWindow, waitSecondsAfter } from './waits.ts';

const figures = parseConfig({}).limits;

test('the wait is none for the first failures, then 60 s, doubling up to 15 minutes', () => {
  const waits = Array.from({ length: 12 }, (_, index) => waitSecondsAfter(index + 1, figures));
  expect(waits).toEqual([0, 0, 0, 0, 60, 120, 240, 480, 900, 900, 900, 900]);
});

test('with the figures as they come, no 15 minutes see more than 10 passwords of an account tried', () => {
  expect(largestCountInWindow(figures, 15 * 60)).toBeLessThanOrEqual(10);
});

test('figures that would let more through are refused at the start', () => {
  expect(() => parseConfig({ LIMIT_ACCOUNT_FIRST_WAIT_SECONDS: '10' })).toThrow(
    /LIMIT_ACCOUNT_\*: .*15 minutes/,
  );
});
