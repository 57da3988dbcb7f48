import type { Openid } from '../openid/openid.ts';
import type { Services } from '../services.ts';
import type { KnownBrowsers } from './known-browser.ts';
import type { LastingCookie } from './lasting-cookie.ts';

/** What the steps of a sign-in stand on. */
export type SignInServices = Services & {
  openid: Openid;
  knownBrowsers: KnownBrowsers;
  /** The cookie of a private computer, on which the second factor is not asked each time. */
  devices: LastingCookie;
};
