import { expect, test } from 'vitest';
import { languageOf } from './language.ts';

const languageFor = (header: string | undefined): string =>
  languageOf(header === undefined ? {} : { 'accept-language': header });

test.each([
  ['ar', 'ar'],
  ['ar-EG,ar;q=0.9,en;q=0.8', 'ar'],
  ['fr;q=0.4, de;q=0.8', 'de'],
  ['tlh, nl;q=0.5', 'nl'],
  ['iw', 'he'],
  ['zh-Hant-TW', 'zh'],
  ['en;q=0, ar', 'ar'],
])('selects the preferred supported language: %s', (header, language) => {
  expect(languageFor(header)).toBe(language);
});

test.each([
  undefined,
  '',
  '*',
  'tlh',
  '../../x',
  '__proto__',
  'constructor',
  'en"><img>',
  'ar;q=9',
  `${'x,'.repeat(9000)}ar`,
])('falls back to English: %s [S08]', (header) => {
  expect(languageFor(header)).toBe('en');
});
