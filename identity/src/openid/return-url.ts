/** The provider's routes that are open; no other one is reached. */
export const authorizePath = '/connect/authorize';
export const signOutPath = '/connect/session/end';

/** What a return address says: which sign-in it belongs to (if any), and how to start it again. */
export type ReturnUrl = { uid: string | undefined; parameters: URLSearchParams };

const interactionPath = new RegExp(`^${authorizePath}(?:/([A-Za-z0-9_-]{16,64}))?$`);

/** The parameters that links of the front end are built from come first (specification, point 7). */
const leading = ['client_id', 'scope', 'redirect_uri'];

/**
 * The address that a sign-in carries as `ReturnUrl`. It names the sign-in, and repeats what the application asked for,
 * so that the same address starts it again when it has expired.
 */
export function buildReturnUrl(uid: string, parameters: Readonly<Record<string, string>>): string {
  return `${authorizePath}/${encodeURIComponent(uid)}?${orderedParameters(parameters).toString()}`;
}

/** Where a sign-in with these parameters begins. */
export function buildAuthorizeUrl(parameters: URLSearchParams): string {
  return `${authorizePath}?${parameters.toString()}`;
}

/**
 * Reads a return address that came from outside. Undefined for everything that is not an authorize address of our own:
 * nothing of the text is ever used as an address again, only the sign-in's name and the parameters.
 */
export function parseReturnUrl(text: string | undefined, publicUrl: string): ReturnUrl | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text, publicUrl);
  if (url === null || url.origin !== new URL(publicUrl).origin) return undefined;
  const match = interactionPath.exec(url.pathname);
  return match === null ? undefined : { uid: match[1], parameters: url.searchParams };
}

/** The same parameters always make the same text, whatever order the database gives them back in: pages compare it. */
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
