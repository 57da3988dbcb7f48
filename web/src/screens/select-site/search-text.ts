/** Letters that Unicode decomposes no further, and that people type as plain ones. */
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
  // written at the end of a word in Greek and Hebrew, and elsewhere in it when somebody has typed half of the word
  ς: 'σ',
  ך: 'כ',
  ם: 'מ',
  ן: 'נ',
  ף: 'פ',
  ץ: 'צ',
  // one Arabic letter in several shapes, and the Persian and Urdu keyboards' own code points
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ە: 'ه',
  ھ: 'ه',
  ک: 'ك',
};
const anyPlainLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');

/** Where each script's digits begin; ten of them follow. */
const digitZeros = ['٠', '۰', '०'].map((zero) => zero.codePointAt(0) ?? 0);
const otherDigits = /[٠-٩۰-۹०-९]/g;

/** Katakana stands as far behind hiragana in Unicode. */
const kanaDistance = 0x60;

/**
 * A text as it is compared in a search: case, accents, vowel points, widths, letter variants, punctuation and the two kinds of kana make
 * no difference. Chinese characters stay as they are. The result is for comparing alone, never for showing.
 */
export function foldText(text: string): string {
  return (
    text
      .normalize('NFKD')
      // marks on letters, the Arabic tatweel, and what has no shape at all (direction marks, joiners, soft hyphens)
      .replace(/[\p{Mn}\p{Me}\p{Cf}\u0640]/gu, '')
      // down, up and down again is what folds ß and ẞ to ss and the Turkish ı to i
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replace(anyPlainLetter, (letter) => plainLetters[letter] ?? letter)
      .replace(otherDigits, (digit) => westernDigit(digit.codePointAt(0) ?? 0))
      .replace(/[ァ-ヶ]/g, (kana) => String.fromCodePoint((kana.codePointAt(0) ?? 0) - kanaDistance))
      // O’Brien and OBrien, "Rhein-Main" and "Rhein Main"
      .replace(/['’‘ʼ`´׳״]/g, '')
      .replace(/[\p{P}\p{S}\s]+/gu, ' ')
      .trim()
  );
}

function westernDigit(codePoint: number): string {
  const zero = digitZeros.find((start) => codePoint >= start && codePoint < start + 10) ?? codePoint;
  return String(codePoint - zero);
}

/** The words of a query, each of which is to be found. */
export function searchedWords(query: string): readonly string[] {
  return foldText(query).split(' ').filter(Boolean);
}
