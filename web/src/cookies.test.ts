import { expect, test } from 'vitest';
import { findCookie } from './cookies.ts';

test('the last of two cookies with one name is read, because browsers list the cookie with the longer path first', () => {
  expect(findCookie('XSRF-TOKEN', 'XSRF-TOKEN=siblings; a=1; XSRF-TOKEN=our%2Fs; XSRF-TOKEN-2=x')).toBe(
    'our/s',
  );
  expect(findCookie('TOKEN', 'XSRF-TOKEN=x')).toBeUndefined();
  expect(findCookie('a', 'a=%E0%A4%A')).toBeUndefined();
});
