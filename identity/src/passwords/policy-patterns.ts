/** Neighbours in the alphabet and on the keyboard. */
const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const neighbours = new Set(
  rows.flatMap((row) => {
    const pairs = Array.from(row.slice(1), (character, index) => `${row.charAt(index)}${character}`);
    return [...pairs, ...pairs.map((pair) => `${pair.charAt(1)}${pair.charAt(0)}`)];
  }),
);

/** Fewer neighbours than this stand in ordinary words. */
const shortestRun = 4;
/** What may stand beside the pattern without making it a password. */
const longestRest = 3;

/** One piece over and over (`abcabcabc`), or runs of neighbours (`12345678`, `hgfedcba`, `qwertyasdf`), in a folded text. */
export function isPattern(folded: string): boolean {
  return /^(.{1,4}?)\1+.{0,3}$/su.test(folded) || withoutRuns(folded).length <= longestRest;
}

function withoutRuns(text: string): string {
  let rest = '';
  let at = 0;
  while (at < text.length) {
    let end = at + 1;
    while (end < text.length && neighbours.has(text.slice(end - 1, end + 1))) end += 1;
    if (end - at < shortestRun) rest += text.slice(at, end);
    at = end;
  }
  return rest;
}
