import { localeFileVersion, supportedLocales } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import { describe, expect, test } from 'vitest';

const files = import.meta.glob<string>(
  ['../../public/assets/i18n/*.json', '../../../console/src/texts/??.json'],
  { eager: true, import: 'default', query: '?raw' },
);

/** All texts of the sign-in pages and the console in a language, with each placeholder replaced by a word. */
function textsOf(locale: Locale): string[] {
  const signIn = files[`../../public/assets/i18n/${locale}-${localeFileVersion}.json`] ?? '';
  const both = signIn + (files[`../../../console/src/texts/${locale}.json`] ?? '');
  return [...both.matchAll(/: "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replaceAll(/\{\{\w+\}\}/g, 'X'),
  );
}

/** The typographic errors of each language. */
const marks: Readonly<Record<Locale, RegExp>> = {
  en: /[«»„]/u,
  de: /[«»‚‘”]/u,
  es: /“|”|(?:^|\. )[^¿?.]*\?|(?:^|\. )[^¡!.]*!/u,
  // A narrow no-break space before ? ! ; and a no-break space before : and inside « ».
  fr: /[^\u202f][?!;]|[^\u00a0]:|«(?!\u00a0)|[^\u00a0]»|[“”„]/u,
  it: /[“”„]/u,
  nl: /[«»„“”]/u,
  pt: /[«»„]/u,
  // No half-width punctuation beside a Chinese character, and no space beside full-width punctuation.
  zh: /\p{Script=Han}[,.:;?!()]|[,:;?!()]\p{Script=Han}| [，。：；？！（）]|[，。：；？！（）] /u,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][,.:;?!()]|[,:;?!()][\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]| [、。：？！（）]|[、。：？！（）] /u,
  ar: /[,;?]|\p{Script=Arabic}[“”"']/u,
  he: /[،؛؟]|[\u0590-\u05ff][“”"]/u,
};

describe.each(supportedLocales)('%s', (locale) => {
  const texts = textsOf(locale);

  test('has no straight quotation mark, no three dots, no double space, and no space at the start or end', () => {
    expect(texts.filter((text) => /\\"|'|\.\.\.|  |^\s|\s$/u.test(text))).toEqual([]);
  });

  test('has no whole word in capitals except abbreviations', () => {
    const abbreviations = /\b(?:SMS|UTC|ID|IT|TI|QR)\b|QR(?=コード)/g;
    expect(texts.filter((text) => /\p{Lu}{2}/u.test(text.replaceAll(abbreviations, '')))).toEqual([]);
  });

  test('has no typographic error of its language', () => {
    expect(texts.filter((text) => marks[locale].test(text))).toEqual([]);
  });

  test('does not break after the e of e‑mail in a sentence', () => {
    expect(texts.filter((text) => /(?<!\p{L})e-mail.*[.!?]$/iu.test(text))).toEqual([]);
  });

  test('keeps the last digits of a phone number on the line of the text before them', () => {
    const written = files[`../../public/assets/i18n/${locale}-${localeFileVersion}.json`] ?? '';
    expect(written.match(/.{0,20}[^\u00a0\u2060]\{\{suffix\}\}/gu)).toBeNull();
  });

  test('has no bidirectional control character, because the page isolates inserted values', () => {
    expect(texts.filter((text) => /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text))).toEqual([]);
  });
});
