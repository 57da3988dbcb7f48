/** Longer ones are cut, so that no provider writes a page into our lists. */
const longestName = 100;

/**
 * A part of a name as a provider tells it: one line of text without what no name has (control characters, and those that turn
 * the direction of what follows). Everything else stays: it is shown as text everywhere (attacks and faults, S07).
 */
export function readPersonName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const line = value
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const name = line
    .slice(0, longestName)
    // half a character at the cut
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
  return name === '' ? undefined : name;
}
