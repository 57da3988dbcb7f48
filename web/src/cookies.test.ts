import { expect, test } from 'vitest';
import { findCookie } from './cookies.ts';

test('of two cookies of one name the last is read: browsers name the one of the root after one of a sibling path', () => {
  expect(findCookie('XSRF-TOKEN', 'XSRF-TOKEN=siblings; a=1; XSRF-TOKEN=our%2Fs; XSRF-TOKEN-2=x')).toBe(
    'our/s',
  );
  expect(findCookie('TOKEN', 'XSRF-TOKEN=x')).toBeUndefined();
  expect(findCookie('a', 'a=%E0%A4%A')).toBeUndefined();
});
