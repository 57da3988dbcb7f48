import { createBrowserCookies } from '../http/browser-cookies.ts';
import { serialiseCookie } from '../http/cookies.ts';
import type { Exchange } from '../http/exchange.ts';

const yearSeconds = 365 * 24 * 60 * 60;

/** The front end's own cookie for the site that was entered last (wire contract, "Cookies of the front end"): it reads and writes it by script. */
export function createSiteCookie(publicUrl: string) {
  const { secure } = createBrowserCookies(publicUrl);
  return {
    write: (exchange: Exchange, site: string): void =>
      exchange.setHeader(
        'set-cookie',
        serialiseCookie('anteroom_site', encodeURIComponent(site), {
          httpOnly: false,
          secure,
          sameSite: 'Lax',
          maxAgeSeconds: yearSeconds,
        }),
      ),
  };
}
