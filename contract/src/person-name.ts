/** Chinese, Japanese and Korean letters; katakana alone is how Japanese writes a foreign name, in its own order. */
const isEastAsian = (name: string): boolean =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー]+$/u.test(name) &&
  !/^[\p{Script=Katakana}ー]+$/u.test(name);

/**
 * A person's whole name as it is written: by the letters of the name, not by the language of the page, because a name is its bearer's. In
 * Chinese, Japanese and Korean letters the family comes first, without a space.
 */
export function wholeName(firstName: string, lastName: string): string {
  const [first, last] = [firstName.trim(), lastName.trim()];
  return isEastAsian(last + first) ? `${last}${first}` : `${first} ${last}`.trim();
}
