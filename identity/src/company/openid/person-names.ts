/** Longer names are truncated. */
const longestName = 100;

/**
 * Normalises a part of a name from a provider: one line, without control characters and bidirectional overrides.
 * Everything else stays, as names are always rendered as text (attacks and faults, S07).
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
    // removes an unpaired surrogate that truncation left
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
  return name === '' ? undefined : name;
}

/** Particles before a family name; in Dutch, German, Romance and Arabic names they are written in lower case. */
const particles =
  /^(?:van|von|vom|zu|zur|zum|den|der|ten|ter|de|del|della|di|da|do|dos|das|du|la|le|el|al|bin|ibn|ben|af|av)$/;

/**
 * Splits a full name. Directories write "Family, Given"; otherwise the family name is the last word with the particles
 * before it, and a single word is a first name. The result is a guess that the user or an operator can correct.
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
