import { describe, expect, test } from 'vitest';
import { chooseLanguage, findRequestedLanguage } from './language-choice.ts';
import { findLocale } from './locales.ts';

const none = { returnUrl: undefined, storedLocale: undefined, browserLanguages: [] };

describe('the language of a visit', () => {
  test('requested_language inside ReturnUrl takes precedence over cookie and browser, and is stored', () => {
    const returnUrl = '/connect/authorize/7?client_id=director&requested_language=de';
    const choice = chooseLanguage({ returnUrl, storedLocale: 'es', browserLanguages: ['fr-FR'] });
    expect(choice).toEqual({ locale: 'de', isToBeKept: true });
  });

  test('an unsupported requested language is ignored', () => {
    const choice = chooseLanguage({ ...none, returnUrl: '/x?requested_language=xx', storedLocale: 'es' });
    expect(choice).toEqual({ locale: 'es', isToBeKept: false });
  });

  test('the culture of a recovery link takes precedence over cookie and browser, and is not stored', () => {
    const choice = chooseLanguage({ ...none, culture: 'nl', storedLocale: 'ja', browserLanguages: ['fr'] });
    expect(choice).toEqual({ locale: 'nl', isToBeKept: false });
    expect(chooseLanguage({ ...none, culture: '../../x', storedLocale: 'ja' }).locale).toBe('ja');
    const returnUrl = '/connect/authorize/7?requested_language=de';
    expect(chooseLanguage({ ...none, culture: 'nl', returnUrl }).locale).toBe('de');
  });

  test('the stored locale takes precedence over the browser', () => {
    expect(chooseLanguage({ ...none, storedLocale: 'ja', browserLanguages: ['fr'] }).locale).toBe('ja');
  });

  test('an unsupported stored locale is ignored', () => {
    const choice = chooseLanguage({ ...none, storedLocale: '../../x', browserLanguages: ['fr'] });
    expect(choice.locale).toBe('fr');
  });

  test('the first supported language of the browser is used', () => {
    expect(chooseLanguage({ ...none, browserLanguages: ['ko-KR', 'pt-PT', 'de'] }).locale).toBe('pt');
  });

  test('English is the default', () => {
    expect(chooseLanguage({ ...none, browserLanguages: ['ko-KR'] }).locale).toBe('en');
    expect(chooseLanguage(none).locale).toBe('en');
  });
});

describe('requested_language', () => {
  test('is read from a relative or absolute address, with a case-insensitive name', () => {
    expect(findRequestedLanguage('/a?Requested_Language=he')).toBe('he');
    expect(
      findRequestedLanguage('https://id.example/a?x=1&requested_language=he#requested_language=fr'),
    ).toBe('he');
  });

  test('matches by primary language, and the first of two values counts', () => {
    const chosen = (requested: string) =>
      chooseLanguage({ ...none, returnUrl: `/a?requested_language=${requested}` });
    expect(chosen('zh-Hans-SG')).toEqual({ locale: 'zh', isToBeKept: true });
    expect(chosen('iw')).toEqual({ locale: 'he', isToBeKept: true });
    expect(chosen('xx&requested_language=de')).toEqual({ locale: 'en', isToBeKept: false });
  });

  test('is decoded once, and is ignored inside a nested address', () => {
    expect(
      findRequestedLanguage('/a?redirect_uri=https%3A%2F%2Fx%3Frequested_language%3Dfr'),
    ).toBeUndefined();
    expect(findRequestedLanguage('/a?requested_language=%2564%2565')).toBe('%64%65');
  });

  test('is undefined without a query', () => {
    expect(findRequestedLanguage(undefined)).toBeUndefined();
    expect(findRequestedLanguage('/a')).toBeUndefined();
  });
});

describe('a language tag matches by its primary language', () => {
  test.each([
    ['zh-CN', 'zh'],
    ['zh-Hans-SG', 'zh'],
    ['zh-TW', 'zh'],
    ['zh-Hant-HK', 'zh'],
    ['pt-PT', 'pt'],
    ['pt-BR', 'pt'],
    ['iw', 'he'],
    ['iw-IL', 'he'],
    ['he-IL', 'he'],
    ['ja-JP-u-ca-japanese', 'ja'],
    ['de-CH-1996', 'de'],
    ['EN-gb', 'en'],
    ['ar_EG', 'ar'],
  ])('%s is %s', (tag, locale) => {
    expect(findLocale(tag)).toBe(locale);
  });

  // `in` is the outdated code of Indonesian, which is not supported, so unlike `iw` it matches no locale.
  test.each([
    '',
    'ko',
    'in',
    'in-ID',
    'id',
    'ji',
    'x-ar',
    'i-klingon',
    '-de',
    'english',
    '__proto__',
    'en"><img>',
    'constructor',
  ])('%j matches no locale', (tag) => {
    expect(findLocale(tag)).toBeUndefined();
  });
});
