import { serialiseCookie } from './cookies.ts';

/** The two cookies that the service sets itself. */
export type BrowserCookies = {
  sessionName: string;
  antiForgeryName: string;
  /** The name of the OpenID provider's session cookie. */
  providerName: string;
  /** Whether cookies have `Secure`; it also decides the name prefix and the provider's cookies. */
  secure: boolean;
  session: (value: string) => string;
  antiForgery: (value: string) => string;
  /** `Set-Cookie` values that delete both cookies. */
  forgotten: () => { session: string; antiForgery: string };
};

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Uses `__Host-` and `Secure` wherever browsers accept them: on https, and on http at localhost, which browsers
 * consider trustworthy. Verified with Chromium 156 on http://localhost, http://127.0.0.1 and http://app.localhost:
 * `__Host-…; Secure` is stored and returned. Trials therefore use the same cookies as production. Safari rejects
 * `Secure` on http (WebKit bug 281149) and needs https. `XSRF-TOKEN` has no prefix because the contract defines its
 * name. Its value is useless without its session, and scripts must be able to read it.
 */
export function createBrowserCookies(publicUrl: string): BrowserCookies {
  const { protocol, hostname } = new URL(publicUrl);
  const secure = protocol === 'https:' || loopbackHosts.has(hostname) || hostname.endsWith('.localhost');
  const sessionName = secure ? '__Host-anteroom_session' : 'anteroom_session';
  const antiForgeryName = 'XSRF-TOKEN';
  // Lax, because board applications link here from another site and the session must be sent along.
  const session = { httpOnly: true, secure, sameSite: 'Lax' } as const;
  const antiForgery = { httpOnly: false, secure, sameSite: 'Strict' } as const;
  return {
    sessionName,
    antiForgeryName,
    providerName: secure ? '__Host-anteroom_provider' : 'anteroom_provider',
    secure,
    session: (value) => serialiseCookie(sessionName, value, session),
    antiForgery: (value) => serialiseCookie(antiForgeryName, value, antiForgery),
    forgotten: () => ({
      session: serialiseCookie(sessionName, '', { ...session, maxAgeSeconds: 0 }),
      antiForgery: serialiseCookie(antiForgeryName, '', { ...antiForgery, maxAgeSeconds: 0 }),
    }),
  };
}
