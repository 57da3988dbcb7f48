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

/** Where a family name begins before its last word; in Dutch, German, Romance and Arabic names these are written in lower case. */
const particles =
  /^(?:van|von|vom|zu|zur|zum|den|der|ten|ter|de|del|della|di|da|do|dos|das|du|la|le|el|al|bin|ibn|ben|af|av)$/;

/**
 * The two parts of a whole name. "Family, Given" is what directories write; else the family name is the last word with the particles
 * before it. One word alone is a first name. A guess, which the person or an operator can correct.
 */
export function splitPersonName(name: string | undefined): {
  firstName: string | undefined;
  lastName: string | undefined;
} {
  const [family = '', given = '', ...more] = (name ?? '').split(',').map((part) => part.trim());
  if (more.length === 0 && family !== '' && given !== '') return { firstName: given, lastName: family };
  const words = name?.split(' ') ?? [];
  const particle = words.findIndex((word, index) => index > 0 && particles.test(word));
  const at = particle === -1 || particle === words.length - 1 ? words.length - 1 : particle;
  return at < 1
    ? { firstName: name, lastName: undefined }
    : { firstName: words.slice(0, at).join(' '), lastName: words.slice(at).join(' ') };
}
