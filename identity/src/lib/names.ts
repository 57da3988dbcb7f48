/** Normalises a site name: surrounding spaces and case do not matter. */
export function siteNameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** Normalises a display name: case, spacing and invisible characters do not matter. */
export function displayNameKey(displayName: string): string {
  return siteNameKey(displayName).replaceAll(/[\s\p{Cf}]+/gu, '');
}

/** At least two labels of valid characters. */
const host = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;

/**
 * The site names that a visitor's input may mean besides the literal text, the likeliest first: the text without inner
 * spaces and, for a URL or host name, the host with and without its domain endings (`https://harbor.co.example/` gives
 * `harbor.co.example`, `harbor.co` and `harbor`).
 */
export function candidateSiteNames(typed: string): string[] {
  const address = siteNameKey(typed)
    .replace(/^https?:\/\//, '')
    .replace(/(?::\d+)?\.?(?:[/?#].*)?$/s, '')
    .replace(/^www\./, '');
  const labels = host.test(address) ? address.split('.') : [address];
  const withoutEndings = labels.map((_, index) => labels.slice(0, labels.length - index).join('.'));
  return [...new Set([displayNameKey(typed), ...withoutEndings])];
}

/**
 * Normalises a sign-in name: capitals, surrounding spaces and full-width letters of an Asian keyboard do not matter.
 * The limits count all variants as one user (attacks and faults, S33).
 */
export function signInNameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
}
