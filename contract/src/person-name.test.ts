import { expect, test } from 'vitest';
import { wholeName } from './person-name.ts';

test.each([
  ['Dana', 'Whitfield', 'Dana Whitfield'],
  ['', 'Whitfield', 'Whitfield'],
  ['Dana', ' ', 'Dana'],
  ['', '', ''],
  ['太郎', '山田', '山田太郎'],
  ['さくら', '佐々木', '佐々木さくら'],
  ['小明', '王', '王小明'],
  ['민준', '김', '김민준'],
  ['ジョン', 'スミス', 'ジョン スミス'],
  ['Dana', '山田', 'Dana 山田'],
  ['نور', 'حداد', 'نور حداد'],
])('the script of the name decides the order: %j %j is %j', (first, last, expected) => {
  expect(wholeName(first, last)).toBe(expected);
});
