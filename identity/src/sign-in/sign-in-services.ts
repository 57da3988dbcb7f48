import type { OpenidProvider } from '../enterprise/openid/openid-provider.ts';
import type { SamlProvider } from '../enterprise/saml/saml-provider.ts';
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
  /** Identity providers of other organisations, by their kind. */
  providers: { openid: OpenidProvider; saml: SamlProvider };
};
