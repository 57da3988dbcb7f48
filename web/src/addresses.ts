import { findParameter, queryOf } from './query.ts';

/**
 * Validates addresses that a server sends: only absolute http(s) addresses and paths of the page's origin are followed
 * (wire contract, "Addresses that a server sends").
 */

/**
 * Browsers drop tabs and line breaks from an address and read a backslash as a slash, so such an address can lead
 * elsewhere than it appears to.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const disguise = /[\u0000-\u0020\u007f\\]/;

/** The absolute form of an address that is safe to follow, else undefined. */
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
  // A dot segment can produce a path that begins with two slashes; code that reuses the path would read it as another
  // host.
  if (url.origin === origin && url.pathname.startsWith('//')) return undefined;
  return url.href;
}

/**
 * The members of answers that contain addresses, except `location`, which must fail the flow if it is unsafe, and the
 * addresses of logos, some of which are deeper in an answer: the components that show logos validate them.
 */
const addressMembers = [
  'identityServiceUrl',
  'forgotPasswordUrl',
  'siteRecoveryClientUri',
  'finishedLocation',
  'cancelRedirectUri',
  'originalClientUri',
  'postLogoutRedirectUri',
  'signOutIFrameUrl',
  'authSiteIdentityBaseUri',
  'signInUrl',
  'backUri',
] as const;

/** Removes unsafe addresses from an answer, so that the flow and the screens need no check of their own. */
export function removeUnsafeAddresses(
  answer: Partial<Record<(typeof addressMembers)[number], string | undefined>>,
): void {
  for (const member of addressMembers)
    if (findSafeAddress(answer[member]) === undefined) delete answer[member];
}

/**
 * Adds the language and the requesting client to the address of a recovery page (forgotten site, forgotten password;
 * specification, point 7: culture, refererClientId, refererScopes, refererRedirectUri).
 */
export function recoveryAddress(
  address: string | undefined,
  culture: string,
  returnUrl: string | undefined,
): string | undefined {
  const safe = findSafeAddress(address);
  if (safe === undefined) return undefined;
  const url = new URL(safe);
  const request = queryOf(returnUrl);
  const parameters = {
    culture,
    refererClientId: findParameter(request, 'client_id'),
    refererScopes: findParameter(request, 'scope'),
    refererRedirectUri: findParameter(request, 'redirect_uri'),
  };
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
