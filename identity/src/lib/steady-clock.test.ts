import { expect, test } from 'vitest';
import { createSteadyClock } from './steady-clock.ts';

const start = Date.parse('2026-01-15T09:00:00.000Z');

function startClock() {
  let elapsedMs = 1_234;
  const clock = createSteadyClock(start, () => elapsedMs);
  return { clock, elapse: (ms: number) => (elapsedMs += ms), read: () => clock.now().getTime() - start };
}

test('advances independently of the machine’s clock [F07]', () => {
  const { elapse, read } = startClock();
  elapse(60_000);
  expect(read()).toBe(60_000);
});

test('a reference clock moves the clock forward at once [F07]', () => {
  const { clock, read } = startClock();
  expect(clock.correct(start + 90_000)).toBe(90_000);
  expect(read()).toBe(90_000);
});

test('a reference clock that is slightly behind makes the clock pause, but never go back [F07]', () => {
  const { clock, elapse, read } = startClock();
  elapse(10_000);
  expect(read()).toBe(10_000);
  expect(clock.correct(start + 8_000)).toBe(-2_000);
  expect(read()).toBe(10_000);
  elapse(1_500);
  expect(read()).toBe(10_000);
  elapse(1_000);
  expect(read()).toBe(10_500);
});

test('a reference clock that jumps back an hour is ignored, so that no lifetime is extended [F07]', () => {
  const { clock, elapse, read } = startClock();
  elapse(10_000);
  expect(clock.correct(start - 3_600_000)).toBe(-3_610_000);
  expect(read()).toBe(10_000);
  elapse(5_000);
  expect(read()).toBe(15_000);
});
