import { expect, test } from 'vitest';
import { hasTrunkPrefix, typedPhoneNumber } from './typed-text.ts';

test.each([
  ['spaces', '+44 20 7946 0142'],
  ['Arabic-Indic digits', '+٤٤ ٢٠ ٧٩٤٦ ٠١٤٢'],
  ['Persian digits', '+۴۴ ۲۰ ۷۹۴۶ ۰۱۴۲'],
  ['full-width digits', '＋４４　２０　７９４６　０１４２'],
  ['the marks of contacts in Windows', '\u202a+44 20 7946 0142\u202c'],
  ['a direction mark', '\u200e+442079460142'],
  ['the prefix of calls abroad', '0044 20 7946 0142'],
  ['slashes', '+44/20/79460142'],
  ['brackets', '+44 (20) 7946-0142'],
  ['non-breaking hyphens', '+44\u201120\u20117946\u20110142'],
  ['dots and no-break spaces', '+44.20\u00a07946.0142'],
])('a phone number with %s is read', (_how, entered) => {
  expect(typedPhoneNumber(entered)).toBe('+442079460142');
});

test.each(['+44 (0)20 7946 0142', '+49 ( 0 ) 30 123456', '+٤٤ (٠)٢٠ ٧٩٤٦ ٠١٤٢', '+44（0）20 7946 0142'])(
  'a phone number with a zero in brackets is refused: %s',
  (entered) => {
    expect(hasTrunkPrefix(entered)).toBe(true);
  },
);

test('letters stay, so that the service refuses the number', () => {
  expect(typedPhoneNumber('+44 20 call me')).toBe('+4420callme');
});
