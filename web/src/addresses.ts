/**
 * Addresses that a server sends: an absolute http(s) address or a path of the page's own origin is followed, and nothing else
 * (wire contract, "Addresses that a server sends").
 */

/** Browsers drop tabs and line breaks from an address and read a backslash as a slash: what has one is not what it looks like. */
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const disguise = /[\u0000-\u0020\u007f\\]/;

/** The address in its full form, when it may be followed; undefined when it may not. */
export function findSafeAddress(
  address: string | undefined,
  origin: string = location.origin,
): string | undefined {
  if (address === undefined || disguise.test(address)) return undefined;
  const isAbsolute = /^https?:\/\/[^/?#]/i.test(address);
  const isPath = /^\/(?!\/)/.test(address);
  if (!isAbsolute && !isPath) return undefined;
  const url = URL.parse(address, origin);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  if (isPath && url.origin !== origin) return undefined;
  // a dot segment can leave a path that begins with two slashes, which is another host to whoever reuses the path
  if (url.origin === origin && url.pathname.startsWith('//')) return undefined;
  return url.href;
}

interface EmbeddedRequest {
  clientId: string | undefined;
  scope: string | undefined;
  redirectUri: string | undefined;
}

/** What ReturnUrl's own query says of the application that asked (`client_id`, `scope`, `redirect_uri`; names without regard to case). */
export function embeddedRequest(returnUrl: string | undefined): EmbeddedRequest {
  const query = new URLSearchParams(/\?([^#]*)/.exec(returnUrl ?? '')?.[1]);
  const find = (name: string): string | undefined =>
    [...query].find(([key]) => key.toLowerCase() === name)?.[1];
  return { clientId: find('client_id'), scope: find('scope'), redirectUri: find('redirect_uri') };
}

/**
 * The address of a recovery page (forgotten site, forgotten password), told the language and who asked
 * (specification, point 7: culture, refererClientId, refererScopes, refererRedirectUri).
 */
export function recoveryAddress(
  address: string | undefined,
  culture: string,
  returnUrl: string | undefined,
): string | undefined {
  const safe = findSafeAddress(address);
  if (safe === undefined) return undefined;
  const url = new URL(safe);
  const { clientId, scope, redirectUri } = embeddedRequest(returnUrl);
  const told = { culture, refererClientId: clientId, refererScopes: scope, refererRedirectUri: redirectUri };
  for (const [name, value] of Object.entries(told))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
