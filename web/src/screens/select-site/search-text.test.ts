import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText, searchedWords } from './search-text.ts';

describe('texts that are equal in a search', () => {
  test.each([
    ['case', 'NORTHWIND', 'northwind'],
    ['accents', 'Société Générale d’Été', 'societe generale dete'],
    ['a combining accent', 'Zu\u0308rich', 'Zürich'],
    ['the German ß', 'Große Straße', 'GROSSE STRASSE'],
    ['the capital ẞ', 'GROẞE', 'große'],
    ['the four Turkish i', 'İSTANBUL ıstanbul', 'istanbul ISTANBUL'],
    ['letters without a decomposition', 'Æbleø Łódź Đuro', 'aebleo lodz duro'],
    ['ligatures and full-width letters', 'ﬁnance ＡＢＣ　１２３', 'finance abc 123'],
    ['Greek with its last sigma', 'ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['Cyrillic', 'Ёлка', 'елка'],
    ['Arabic with and without vowel signs', 'مَجْلِس', 'مجلس'],
    ['variants of alef', 'أحمد إدارة آسيا ٱسم', 'احمد ادارة اسيا اسم'],
    ['ta marbuta and alef maqsura', 'شركة مصطفى', 'شركه مصطفي'],
    ['the tatweel', 'مجـــلس', 'مجلس'],
    ['a Persian keyboard', 'کمیته', 'كميته'],
    ['Arabic and Persian digits', 'مجلس ١٢ ۳۴', 'مجلس 12 34'],
    ['Hebrew with and without niqqud', 'שָׁלוֹם', 'שלום'],
    ['an incomplete Hebrew word', 'שלום', 'שלומ'],
    ['half-width kana', 'ｸﾞﾙｰﾌﾟ', 'グループ'],
    ['hiragana and katakana', 'ぐるーぷ', 'グループ'],
    ['full-width and ASCII', '株式会社ＡＢＣ', '株式会社abc'],
    ['hyphens and spaces', 'Rhein-Main  Süd', 'rhein main sud'],
    ['variants of the apostrophe', 'O’Brien', "O'Brien"],
    ['direction marks', '\u200FHarbor\u200E', 'harbor'],
  ])('%s', (_, one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });
});

test('Chinese is compared unchanged', () => {
  expect(foldText('董事会')).toBe('董事会');
  expect(foldText('董事會')).not.toBe(foldText('董事会'));
});

test('folding is idempotent and ignores case', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const folded = foldText(text);
      expect(foldText(folded)).toBe(folded);
      expect(foldText(text.normalize('NFD'))).toBe(folded);
      expect(foldText(text.normalize('NFC'))).toBe(folded);
    }),
  );
});

test('a query is split into words; blanks and punctuation are no words', () => {
  expect(searchedWords('  Audit   Committee ')).toEqual(['audit', 'committee']);
  expect(searchedWords(' – & ')).toEqual([]);
});
