/** How a site's name is compared: what a visitor types, without the spaces around it and without regard to case. */
export function siteNameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** How a display name is compared: without regard to case, spacing and invisible characters. */
export function displayNameKey(displayName: string): string {
  return siteNameKey(displayName).replaceAll(/[\s\p{Cf}]+/gu, '');
}

/** At least two labels, and nothing that a host name cannot have. */
const host = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;

/**
 * The site names that a visitor may mean besides the text itself, the likeliest first: the text without inner spaces, and, where it is the
 * address of a page or a host, its host with and without domain endings (`https://harbor.co.example/` gives `harbor.co.example`,
 * `harbor.co` and `harbor`).
 */
export function namesMeantBy(typed: string): string[] {
  const address = siteNameKey(typed)
    .replace(/^https?:\/\//, '')
    .replace(/(?::\d+)?\.?(?:[/?#].*)?$/s, '')
    .replace(/^www\./, '');
  const labels = host.test(address) ? address.split('.') : [address];
  const withoutEndings = labels.map((_, index) => labels.slice(0, labels.length - index).join('.'));
  return [...new Set([displayNameKey(typed), ...withoutEndings])];
}
