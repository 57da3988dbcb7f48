import { expect, test } from 'vitest';
import { parseConfig } from '../config/config.ts';
import { waitSecondsAfter } from './waits.ts';

const { limits, codeLimits } = parseConfig({});

test('there is no wait for the first failures, then 60 s, doubling up to 15 minutes', () => {
  const waits = Array.from({ length: 12 }, (_, index) => waitSecondsAfter(index + 1, limits));
  expect(waits).toEqual([0, 0, 0, 0, 60, 120, 240, 480, 900, 900, 900, 900]);
});

test.each([
  ['passwords', '15 minutes', limits, 15 * 60],
  ['codes', 'an hour', codeLimits, 60 * 60],
] as const)('at most 10 %s of an account are tried in any %s', (_what, _window, options, windowSeconds) => {
  const moments: number[] = [];
  let now = 0;
  for (let failures = 1; failures <= options.accountConsecutiveFailures; failures += 1) {
    moments.push(now);
    now += waitSecondsAfter(failures, options);
  }
  const counts = moments.map(
    (from) => moments.filter((moment) => moment >= from && moment < from + windowSeconds).length,
  );
  expect(Math.max(...counts)).toBeLessThanOrEqual(10);
});
