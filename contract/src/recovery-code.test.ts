import { expect, test } from 'vitest';
import { findRecoveryCode } from './typed-text.ts';

const code = 'ABCDEFGH234567XY';
const groups = ['ABCD', 'EFGH', '2345', '67XY'];

test.each([
  ['hyphens', groups.join('-')],
  ['spaces', groups.join(' ')],
  ['no-break spaces', groups.join('\u00a0')],
  ['lower case', code.toLowerCase()],
  ['en dashes', groups.join('\u2013')],
  ['em dashes', groups.join(' \u2014 ')],
  ['non-breaking hyphens (U+2011)', groups.join('\u2011')],
  ['minus signs (U+2212)', groups.join('\u2212')],
  ['soft hyphens', groups.join('\u00ad')],
  ['full-width hyphens', groups.join('\uff0d')],
  [
    'full-width letters and digits',
    Array.from(code, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)).join(''),
  ],
  ['dots', groups.join('.')],
  ['middle dots', groups.join('·')],
  ['underscores', groups.join('_')],
  ['a number of one digit in front', `1. ${groups.join('-')}`],
  ['a number that is also part of the alphabet in front', `2. ${groups.join('-')}`],
  ['a number of two digits and a bracket in front', `10) ${groups.join(' ')}`],
  ['a bullet in front', `• ${groups.join('-')}`],
  ['a direction mark in front', `\u200e${groups.join('-')}\u2069`],
  ['a byte-order mark and a line break', `\ufeff${groups.join('-')}\r\n`],
])('a recovery code with %s is read', (_how, entered) => {
  expect(findRecoveryCode(entered)).toBe(code);
});

test.each(['', '1. ', 'ABCD-EFGH-2345-67X', 'ABCD-EFGH-2345-67XYZ', 'ABCD-EFGH-2345-67X1', '234567'])(
  '%j is no whole recovery code',
  (entered) => {
    expect(findRecoveryCode(entered)).toBeUndefined();
  },
);
