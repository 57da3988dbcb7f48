/**
 * The URL of a site's home region, if it is this one or one in the settings. Undefined for any other, because a
 * database row must not redirect visitors to a host that the operator has not listed (attacks and faults, S57).
 */
export function findHome(
  here: { publicUrl: string; regions: { others: readonly { url: string }[] } | undefined },
  identityServiceUrl: string | undefined,
): string | undefined {
  const home = identityServiceUrl ?? here.publicUrl;
  const isListed = home === here.publicUrl || here.regions?.others.some(({ url }) => url === home);
  return isListed === true ? home : undefined;
}
