import { localeFileVersion, supportedLocales } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import { describe, expect, test } from 'vitest';

const files = import.meta.glob<string>('../../public/assets/i18n/*.json', {
  eager: true,
  import: 'default',
  query: '?raw',
});

/** Every text of a language; a placeholder counts as a word, a tag as nothing. */
function textsOf(locale: Locale): string[] {
  const file = files[`../../public/assets/i18n/${locale}-${localeFileVersion}.json`] ?? '';
  return [...file.matchAll(/: "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replaceAll(/\{\{\w+\}\}/g, 'X').replaceAll(/<\/?\w+>/g, ''),
  );
}

/** What a typesetter of the language would mark. */
const marks: Readonly<Record<Locale, RegExp>> = {
  en: /[«»„]/u,
  de: /[«»‚‘”]/u,
  es: /“|”|(?:^|\. )[^¿?.]*\?|(?:^|\. )[^¡!.]*!/u,
  // a narrow space before ? ! ; and a full one before : and inside « », none of which may break
  fr: /[^\u202f][?!;]|[^\u00a0]:|«(?!\u00a0|\u202f)|[^\u00a0\u202f]»|[“”„]/u,
  it: /[“”„]/u,
  nl: /[«»„“”]/u,
  pt: /[«»„]/u,
  // no half-width mark beside a word of the language, and no space beside a full-width one
  zh: /\p{Script=Han}[,.:;?!()]|[,:;?!()]\p{Script=Han}| [，。：；？！（）]|[，。：；？！（）] /u,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][,.:;?!()]|[,:;?!()][\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]| [、。：？！（）]|[、。：？！（）] /u,
  ar: /[,;?]|\p{Script=Arabic}[“”"']/u,
  he: /[،؛؟]|[\u0590-\u05ff][“”"]/u,
};

describe.each(supportedLocales)('%s', (locale) => {
  const texts = textsOf(locale);

  test('has no straight quotation mark, no typewriter’s dots, no doubled or outer space', () => {
    expect(texts.filter((text) => /\\"|'|\.\.\.|  |^\s|\s$/u.test(text))).toEqual([]);
  });

  test('shouts nowhere: whole words in capitals are abbreviations', () => {
    const abbreviations = /\b(?:SMS|UTC|ID|IT|TI|QR)\b|QR(?=コード)/g;
    expect(texts.filter((text) => /\p{Lu}{2}/u.test(text.replaceAll(abbreviations, '')))).toEqual([]);
  });

  test('is set as the language is set', () => {
    expect(texts.filter((text) => marks[locale].test(text))).toEqual([]);
  });

  test('leaves the e of an e‑mail alone at the end of no line of a sentence', () => {
    expect(texts.filter((text) => /(?<!\p{L})e-mail.*[.!?]$/iu.test(text))).toEqual([]);
  });

  test('carries no character that turns the direction: what is isolated, the page isolates', () => {
    expect(texts.filter((text) => /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text))).toEqual([]);
  });
});
