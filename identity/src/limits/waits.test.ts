import { expect, test } from 'vitest';
import { parseConfig } from '../config.ts';
import { largestCountInWindow, waitSecondsAfter } from './waits.ts';

const options = parseConfig({}).limits;

test('there is no wait for the first failures, then 60 s, doubling up to 15 minutes', () => {
  const waits = Array.from({ length: 12 }, (_, index) => waitSecondsAfter(index + 1, options));
  expect(waits).toEqual([0, 0, 0, 0, 60, 120, 240, 480, 900, 900, 900, 900]);
});

test('with the defaults, at most 10 passwords of an account are tried in any 15 minutes', () => {
  expect(largestCountInWindow(options, 15 * 60)).toBeLessThanOrEqual(10);
});

test('settings that permit more are rejected at startup', () => {
  expect(() => parseConfig({ LIMIT_ACCOUNT_FIRST_WAIT_SECONDS: '10' })).toThrow(
    /LIMIT_ACCOUNT_\*: .*15 minutes/,
  );
});
