/**
 * The address of the identity service that is a site's home: this one's, or that of a region that the settings list. Undefined for
 * any other: what stands in a row must not lead anybody to a host that the operator has not named (attacks and faults, S57).
 */
export function findHome(
  here: { publicUrl: string; regions: { others: readonly { url: string }[] } | undefined },
  identityServiceUrl: string | undefined,
): string | undefined {
  const home = identityServiceUrl ?? here.publicUrl;
  const isListed = home === here.publicUrl || here.regions?.others.some(({ url }) => url === home);
  return isListed === true ? home : undefined;
}
