import type { OpenidProvider } from '../enterprise/openid/openid-provider.ts';
import type { SamlProvider } from '../enterprise/saml/saml-provider.ts';
import type { Openid } from '../openid/openid.ts';
import type { Services } from '../services.ts';
import type { KnownBrowsers } from './known-browser.ts';
import type { LastingCookie } from './lasting-cookie.ts';

/** The services that the steps of a sign-in use. */
export type SignInServices = Services & {
  openid: Openid;
  knownBrowsers: KnownBrowsers;
  /** The cookie of a remembered computer. */
  devices: LastingCookie;
  providers: { openid: OpenidProvider; saml: SamlProvider };
};
