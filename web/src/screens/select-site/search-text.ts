/** Letters without a Unicode decomposition that users type as plain letters. */
const plainLetters: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ł: 'l',
  ŧ: 't',
  þ: 'th',
  // Final forms of Greek and Hebrew letters. A half-typed word can end with a letter that has its other form in the
  // whole word.
  ς: 'σ',
  ך: 'כ',
  ם: 'מ',
  ן: 'נ',
  ף: 'פ',
  ץ: 'צ',
  // Variants of Arabic letters, and the code points of Persian and Urdu keyboards.
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ە: 'ه',
  ھ: 'ه',
  ک: 'ك',
};
const anyPlainLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');

/** The digit 0 of each script; the other nine follow it. */
const digitZeros = ['٠', '۰', '०'].map((zero) => zero.codePointAt(0) ?? 0);
const otherDigits = /[٠-٩۰-۹०-९]/g;

/** The distance from hiragana to katakana in Unicode. */
const kanaDistance = 0x60;

/**
 * Folds a text for comparison in a search: ignores case, accents, vowel points, widths, letter variants, punctuation
 * and the difference between hiragana and katakana. Chinese characters do not change. The result is never shown.
 */
export function foldText(text: string): string {
  return (
    text
      .normalize('NFKD')
      // Combining marks, the Arabic tatweel, and invisible characters (direction marks, joiners, soft hyphens).
      .replace(/[\p{Mn}\p{Me}\p{Cf}\u0640]/gu, '')
      // Lower, then upper, then lower case: folds ß and ẞ to ss and the Turkish ı to i.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replace(anyPlainLetter, (letter) => plainLetters[letter] ?? letter)
      .replace(otherDigits, (digit) => westernDigit(digit.codePointAt(0) ?? 0))
      .replace(/[ァ-ヶ]/g, (kana) => String.fromCodePoint((kana.codePointAt(0) ?? 0) - kanaDistance))
      // Matches O’Brien and OBrien, "Rhein-Main" and "Rhein Main".
      .replace(/['’‘ʼ`´׳״]/g, '')
      .replace(/[\p{P}\p{S}\s]+/gu, ' ')
      .trim()
  );
}

function westernDigit(codePoint: number): string {
  const zero = digitZeros.find((start) => codePoint >= start && codePoint < start + 10) ?? codePoint;
  return String(codePoint - zero);
}

/** The words of a query, each of which must match. */
export function searchedWords(query: string): readonly string[] {
  return foldText(query).split(' ').filter(Boolean);
}
