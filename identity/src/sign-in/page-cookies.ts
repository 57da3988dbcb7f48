import type { Locale } from '@anteroom/contract';
import { createBrowserCookies } from '../http/browser-cookies.ts';
import { serialiseCookie } from '../http/cookies.ts';
import type { Exchange } from '../http/exchange.ts';

const yearSeconds = 365 * 24 * 60 * 60;

/** The cookies that the front end's scripts read and write (wire contract, "Cookies of the front end"). */
export function createPageCookies(publicUrl: string) {
  const { secure } = createBrowserCookies(publicUrl);
  const write = (exchange: Exchange, name: string, value: string): void =>
    exchange.setHeader(
      'set-cookie',
      serialiseCookie(name, encodeURIComponent(value), {
        httpOnly: false,
        secure,
        sameSite: 'Lax',
        maxAgeSeconds: yearSeconds,
      }),
    );
  return {
    /** The last site that the user entered. */
    writeSite: (exchange: Exchange, site: string): void => write(exchange, 'anteroom_site', site),
    /** The language that the visitor selected. */
    writeLocale: (exchange: Exchange, locale: Locale): void => write(exchange, 'anteroom_locale', locale),
  };
}
