/** The provider's public routes. */
export const authorizePath = '/connect/authorize';
export const signOutPath = '/connect/session/end';

/** The parsed return URL: the id of its sign-in (if any), and the parameters to start it again. */
export type ReturnUrl = { uid: string | undefined; parameters: URLSearchParams };

const interactionPath = new RegExp(`^${authorizePath}(?:/([A-Za-z0-9_-]{16,64}))?$`);

/** These parameters come first in links of the front end (specification, point 7). */
const leading = ['client_id', 'scope', 'redirect_uri'];

/**
 * The URL that a sign-in carries as `ReturnUrl`. It contains the id of the sign-in and repeats the application's
 * parameters, so that it can restart the sign-in after it expires.
 */
export function buildReturnUrl(uid: string, parameters: Readonly<Record<string, string>>): string {
  return `${authorizePath}/${encodeURIComponent(uid)}?${orderedParameters(parameters).toString()}`;
}

/** The URL that starts a sign-in with these parameters. */
export function buildAuthorizeUrl(parameters: URLSearchParams): string {
  return `${authorizePath}?${parameters.toString()}`;
}

/**
 * Parses an untrusted return URL. Undefined unless it is an authorize URL of this service. Callers use only the id and
 * the parameters, never the text itself.
 */
export function parseReturnUrl(text: string | undefined, publicUrl: string): ReturnUrl | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text, publicUrl);
  if (url === null || url.origin !== new URL(publicUrl).origin) return undefined;
  const match = interactionPath.exec(url.pathname);
  return match === null ? undefined : { uid: match[1], parameters: url.searchParams };
}

/**
 * Sorts the parameters, so that the same parameters always result in the same text. Pages compare the text, and the
 * database does not preserve the order.
 */
function orderedParameters(parameters: Readonly<Record<string, string>>): URLSearchParams {
  const rest = Object.keys(parameters)
    .filter((name) => !leading.includes(name))
    .toSorted();
  const ordered = new URLSearchParams();
  for (const name of [...leading, ...rest]) {
    const value = parameters[name];
    if (value !== undefined) ordered.set(name, value);
  }
  return ordered;
}
