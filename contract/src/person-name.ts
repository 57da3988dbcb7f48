/**
 * Whether a name is written in Chinese, Japanese or Korean script. Excludes names in katakana alone, which transcribe
 * foreign names and keep their order.
 */
const isEastAsian = (name: string): boolean =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー]+$/u.test(name) &&
  !/^[\p{Script=Katakana}ー]+$/u.test(name);

/**
 * A person's full name. The script of the name decides the order, not the language of the page. In Chinese, Japanese and Korean script the
 * family name comes first, without a space.
 */
export function wholeName(firstName: string, lastName: string): string {
  const [first, last] = [firstName.trim(), lastName.trim()];
  return isEastAsian(last + first) ? `${last}${first}` : `${first} ${last}`.trim();
}
