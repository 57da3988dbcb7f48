/**
 * The decoded value of a cookie; undefined if it is missing or cannot be decoded. Of several cookies with one name,
 * returns the last: browsers list longer paths first, and the cookies of the front end and the service are at the root.
 */
export function findCookie(name: string, cookies: string = document.cookie): string | undefined {
  const written = cookies
    .split(/;\s*/)
    .findLast((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  try {
    return written === undefined ? undefined : decodeURIComponent(written);
  } catch {
    return undefined;
  }
}

type Lifetime = 'session' | 'far-future' | 'deleted';

const expiry: Record<Lifetime, string> = {
  session: '',
  'far-future': '; Expires=Fri, 31 Dec 9999 23:59:59 GMT',
  deleted: '; Max-Age=0',
};

/** Writes a cookie of the front end (wire contract, "Cookies of the front end"). */
export function writeCookie(name: string, value: string, lifetime: Lifetime): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; SameSite=Lax${expiry[lifetime]}${secure}`;
}
