// Parsing and serialising cookies (RFC 6265). Repeated names are detected, as an attacker may have set one of them.

export type CookieAttributes = {
  httpOnly: boolean;
  secure: boolean;
  sameSite: 'Lax' | 'Strict';
  /** Absent for a session cookie. */
  maxAgeSeconds?: number;
};

/** All values that the browser sent under `name`, in order. */
export function cookieValues(header: string | undefined, name: string): string[] {
  if (header === undefined) return [];
  const values: string[] = [];
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) values.push(pair.slice(equals + 1).trim());
  }
  return values;
}

/** The value under `name`, if there is exactly one. */
export function findSingleCookie(header: string | undefined, name: string): string | undefined {
  const values = cookieValues(header, name);
  return values.length === 1 ? values[0] : undefined;
}

/** A host-only `Set-Cookie` value. `value` must not need escaping (base64url and dots). */
export function serialiseCookie(name: string, value: string, attributes: CookieAttributes): string {
  return [
    `${name}=${value}`,
    'Path=/',
    ...(attributes.maxAgeSeconds === undefined ? [] : [`Max-Age=${attributes.maxAgeSeconds}`]),
    ...(attributes.secure ? ['Secure'] : []),
    ...(attributes.httpOnly ? ['HttpOnly'] : []),
    `SameSite=${attributes.sameSite}`,
  ].join('; ');
}
