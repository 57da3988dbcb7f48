import { expect, test } from 'vitest';
import { movableClock } from '../../testing/movable-clock.ts';
import { addSeconds } from '../lib/clock.ts';
import { createHeldAddresses } from './limits.ts';

test('a rejected address is remembered until its wait ends, and for at most 5 s', () => {
  const clock = movableClock();
  const held = createHeldAddresses(clock);
  const [inAnHour, inASecond] = [addSeconds(clock.now(), 3600), addSeconds(clock.now(), 1)];
  held.hold('one', inAnHour);
  held.hold('other', inASecond);
  expect(held.find('one')).toEqual(inAnHour);
  expect(held.find('other')).toEqual(inASecond);
  clock.advanceSeconds(1);
  expect(held.find('other')).toBeUndefined();
  clock.advanceSeconds(3.9);
  expect(held.find('one')).toEqual(inAnHour);
  clock.advanceSeconds(0.1);
  expect(held.find('one')).toBeUndefined();
});

test('the newest 10,000 addresses are remembered', () => {
  const clock = movableClock();
  const held = createHeldAddresses(clock);
  for (let index = 0; index <= 10_000; index += 1) held.hold(`address ${index}`, addSeconds(clock.now(), 60));
  expect(held.find('address 0')).toBeUndefined();
  expect(held.find('address 1')).toBeDefined();
  expect(held.find('address 10000')).toBeDefined();
});
