import { serialiseCookie } from './cookies.ts';

/** The two cookies that the service itself gives a browser. */
export type BrowserCookies = {
  sessionName: string;
  antiForgeryName: string;
  /** What the OpenID provider calls its own. */
  providerName: string;
  /** Whether cookies carry `Secure`; also the name prefix and the provider's cookies go by it. */
  secure: boolean;
  session: (value: string) => string;
  antiForgery: (value: string) => string;
  /** Lines that make the browser forget both. */
  forgotten: () => { session: string; antiForgery: string };
};

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * `__Host-` and `Secure` wherever the browser takes them: on https, and on http at the machine itself, which browsers count
 * as trustworthy. Seen with Chromium 156 on http://localhost, http://127.0.0.1 and http://app.localhost: `__Host-…; Secure` is
 * kept and sent back. So what is tried out is what runs in production; Safari refuses `Secure` there (WebKit bug 281149)
 * and needs https.
 *
 * `XSRF-TOKEN` is named by the contract, so it cannot have the prefix; its value is worthless without the session it is
 * bound to, and a script must be able to read it.
 */
export function createBrowserCookies(publicUrl: string): BrowserCookies {
  const { protocol, hostname } = new URL(publicUrl);
  const secure = protocol === 'https:' || loopbackHosts.has(hostname) || hostname.endsWith('.localhost');
  const sessionName = secure ? '__Host-anteroom_session' : 'anteroom_session';
  const antiForgeryName = 'XSRF-TOKEN';
  // Lax: a board application sends its visitors here from another site, and they must still be known.
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
