/** How a site's name is compared: what a visitor types, without the spaces around it and without regard to case. */
export function siteNameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
