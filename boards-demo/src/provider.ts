import * as openid from 'openid-client';
import type { DemoConfig } from './config.ts';
import { fetchAlsoBelowLocalhost } from './localhost-fetch.ts';
import type { Claims, Flow, Purpose } from './sessions.ts';

/** What the portal asks the provider for, by purpose. */
const prompts: Record<Purpose, string | undefined> = {
  'sign-in': undefined,
  'switch-site': 'switch_site',
  'change-password': 'change_password',
  elevate: 'elevate',
};

const scope = 'openid profile email';

/** What a sign-in may be begun with. */
type Wishes = {
  language?: string | undefined;
  site?: string | undefined;
  loginHint?: string | undefined;
  /** A page of the portal that the sign-in leads to in the end. */
  target?: string | undefined;
};

export type Tokens = { claims: Claims; idToken: string };

export type ProviderClient = ReturnType<typeof createProviderClient>;

/** The providers that this portal trusts, by their issuers. */
export function createProviderClients(config: DemoConfig): ReadonlyMap<string, ProviderClient> {
  const issuers = [config.issuer, ...(config.otherIssuers ?? [])];
  return new Map(issuers.map((issuer) => [issuer, createProviderClient({ ...config, issuer })]));
}

/** The provider as this portal uses it. Its description is read when it is first needed, and again after a failure. */
function createProviderClient(config: DemoConfig) {
  let discovered: Promise<openid.Configuration> | undefined;

  const configuration = (): Promise<openid.Configuration> => {
    discovered ??= openid
      .discovery(new URL(config.issuer), config.clientId, undefined, openid.None(), {
        // only where the operator chose an address without TLS, which is the demonstration on one machine
        execute: config.issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [],
        timeout: 5,
        [openid.customFetch]: fetchAlsoBelowLocalhost,
      })
      .catch((error: unknown) => {
        discovered = undefined;
        throw error;
      });
    return discovered;
  };

  return {
    /** Begins a sign-in: the address to send the browser to, and what must come back. */
    async begin(purpose: Purpose, wishes: Wishes) {
      const codeVerifier = openid.randomPKCECodeVerifier();
      const flow: Flow = {
        issuer: config.issuer,
        purpose,
        codeVerifier,
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        target: wishes.target,
      };
      const parameters = new URLSearchParams({
        redirect_uri: `${config.publicUrl}/callback`,
        scope,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      const prompt = prompts[purpose];
      if (prompt !== undefined) parameters.set('prompt', prompt);
      if (wishes.language !== undefined) {
        parameters.set('ui_locales', wishes.language);
        parameters.set('requested_language', wishes.language);
      }
      if (wishes.site !== undefined) parameters.set('site', wishes.site);
      if (wishes.loginHint !== undefined) parameters.set('login_hint', wishes.loginHint);
      // another region gives it back, which `state` does not survive (OpenID Connect Core, 4)
      if (wishes.target !== undefined)
        parameters.set('target_link_uri', `${config.publicUrl}${wishes.target}`);
      return { flow, address: openid.buildAuthorizationUrl(await configuration(), parameters).href };
    },

    /** Redeems the code of an answer. The library checks state, nonce, `iss`, signature, audience and times. */
    async finish(flow: Flow, answer: URL): Promise<Tokens> {
      const provider = await configuration();
      const tokens = await openid.authorizationCodeGrant(provider, answer, {
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        pkceCodeVerifier: flow.codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined || tokens.id_token === undefined)
        throw new Error('The provider sent no ID token');
      const more = await openid.fetchUserInfo(provider, tokens.access_token, claims.sub);
      return { claims: { ...more, ...claims }, idToken: tokens.id_token };
    },

    /** Where signing out at the provider begins. */
    async endSessionAddress(idToken: string): Promise<string> {
      return openid.buildEndSessionUrl(await configuration(), {
        id_token_hint: idToken,
        post_logout_redirect_uri: `${config.publicUrl}/signed-out`,
      }).href;
    },
  };
}
/** What the provider said instead of a code, if it said something that the standards know. */
export function readRefusal(error: unknown): string | undefined {
  return error instanceof openid.AuthorizationResponseError ? error.error : undefined;
}
