import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { anyCode, oneTimeCode } from './codes.ts';
import { hasTrunkPrefix, typedCode, typedPhoneNumber } from './typed-text.ts';

describe('a one-time code', () => {
  test.each([
    ['full-width digits', '４７１０２９'],
    ['Arabic-Indic digits', '٤٧١٠٢٩'],
    ['Persian digits', '۴۷۱۰۲۹'],
    ['Devanagari digits', '४७१०२९'],
    ['Thai digits', '๔๗๑๐๒๙'],
    ['mathematical digits', '𝟒𝟕𝟏𝟎𝟐𝟗'],
    ['digits outside the first plane', '𑁪𑁭𑁧𑁦𑁨𑁯'],
    ['a no-break space', '471\u00A0029'],
    ['an en dash', '471–029'],
    ['isolates', '\u2066471029\u2069'],
    ['a minus sign', '471\u2212029'],
    ['a zero width space', '471\u200B029'],
  ])('in %s is understood', (_what, typed) => {
    expect(v.parse(oneTimeCode, typed)).toBe('471029');
    expect(v.parse(anyCode, typed)).toBe('471029');
  });

  test.each(['47102', '4710299', '12345x', '½71029', ''])('%j is refused', (typed) => {
    expect(v.is(oneTimeCode, typed)).toBe(false);
    expect(v.is(anyCode, typed)).toBe(false);
  });
});

describe('a recovery code', () => {
  test.each([
    ['hyphens', 'ABCD-EFGH-2345-67IJ'],
    ['en dashes', 'ABCD–EFGH–2345–67IJ'],
    ['non-breaking hyphens', 'ABCD\u2011EFGH\u20112345\u201167IJ'],
    ['minus signs', 'ABCD\u2212EFGH\u22122345\u221267IJ'],
    ['soft hyphens', 'AB\u00ADCDEFGH2345\u00AD67IJ'],
    ['full-width letters', 'ＡＢＣＤ－ＥＦＧＨ－２３４５－６７ＩＪ'],
    ['dots', 'abcd.efgh.2345.67ij'],
    ['underscores and bullets', '• abcd_efgh_2345_67ij'],
    ['the number of a list', '1. ABCD EFGH 2345 67IJ'],
    ['the number of a table row', '3\tABCD-EFGH-2345-67IJ'],
    ['a number sign', '#10 ABCD-EFGH-2345-67IJ'],
    ['the number of a list in base 32', '3. ABCD EFGH 2345 67IJ'],
    ['a two-digit number of a list', '10) ABCD EFGH 2345 67IJ'],
    ['a direction mark', '\u200FABCD EFGH 2345 67IJ'],
    ['Arabic-Indic digits', 'ABCD EFGH ٢٣٤٥ ٦٧IJ'],
  ])('with %s is understood', (_what, typed) => {
    expect(v.parse(anyCode, typed)).toBe('ABCDEFGH234567IJ');
  });

  test.each(['ABCD-EFGH-2345-67I', 'ABCD-EFGH-2345-67IJK', 'ABCD-EFGH-0189-67IJ', 'A'.repeat(200)])(
    '%j is refused',
    (typed) => expect(v.is(anyCode, typed)).toBe(false),
  );

  test('that begins with digits keeps them', () => {
    expect(typedCode('23AB-CDEF-GHIJ-KLMN')).toBe('23ABCDEFGHIJKLMN');
  });
});

describe('a phone number', () => {
  test.each([
    '+٤٤ ٢٠ ٧٩٤٦ ٠١٤٢',
    '＋４４　２０　７９４６　０１４２',
    '\u202A+44 20 7946 0142\u202C',
    '+44 20/7946/0142',
    '+44\u201120\u22127946–0142',
    '+44 [20] 7946.0142',
    'tel:+44-20-7946-0142',
    '\u2066+442079460142\u2069',
    '+44 20\u00AD7946\u200B0142',
    '+४४ २० ७९४६ ०१४२',
  ])('%j is +442079460142', (typed) => {
    expect(typedPhoneNumber(typed)).toBe('+442079460142');
    expect(hasTrunkPrefix(typed)).toBe(false);
  });

  test.each([
    '+44 (0)20 7946 0142',
    '+44(0)2079460142',
    '+49 ( 0 ) 89 1234567',
    '+44 （０）20 7946 0142',
    '+44 (٠)20 7946 0142',
    '+44 [0] 20 7946 0142',
    '+44 (\u200E0)20 7946 0142',
  ])('%j has a trunk prefix', (typed) => expect(hasTrunkPrefix(typed)).toBe(true));

  test.each(['+39 06 1234 5678', '+39 (06) 1234 5678', '+44 (20) 7946 0142'])('%j has none', (typed) =>
    expect(hasTrunkPrefix(typed)).toBe(false),
  );
});
