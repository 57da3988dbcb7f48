/**
 * The value of a cookie, decoded; undefined when there is none or it cannot be decoded. Of several the last: browsers name those of
 * longer paths first, and ours and the service's are at the root.
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

/** How long a cookie lives: as long as the browser is open, far into the future, or not at all any more. */
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
