import * as openid from 'openid-client';
import type { DemoConfig } from './config.ts';
import { fetchAlsoBelowLocalhost } from './localhost-fetch.ts';
import type { Claims, Flow, Purpose } from './sessions.ts';

/** The `prompt` parameter for each purpose. */
const prompts: Record<Purpose, string | undefined> = {
  'sign-in': undefined,
  'switch-site': 'switch_site',
  'change-password': 'change_password',
  elevate: 'elevate',
};

const scope = 'openid profile email';

/** Options of a sign-in. */
type SignInOptions = {
  language?: string | undefined;
  site?: string | undefined;
  loginHint?: string | undefined;
  /** The page of the portal to open after the sign-in. */
  target?: string | undefined;
};

export type Tokens = { claims: Claims; idToken: string };

export type ProviderClient = ReturnType<typeof createProviderClient>;

/** The trusted providers by issuer. */
export function createProviderClients(config: DemoConfig): ReadonlyMap<string, ProviderClient> {
  const issuers = [config.issuer, ...(config.otherIssuers ?? [])];
  return new Map(issuers.map((issuer) => [issuer, createProviderClient({ ...config, issuer })]));
}

/** A client of one provider. Discovery runs on first use, and again after a failure. */
function createProviderClient(config: DemoConfig) {
  let discovered: Promise<openid.Configuration> | undefined;

  const configuration = (): Promise<openid.Configuration> => {
    discovered ??= openid
      .discovery(new URL(config.issuer), config.clientId, undefined, openid.None(), {
        // Allows requests without TLS if the operator has configured such an address, as in a demonstration on one
        // machine.
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

  /** The languages of the provider's pages; empty while the provider cannot be reached. */
  const languages = async (): Promise<string[]> => {
    const server = await configuration().catch(() => undefined);
    return server?.serverMetadata().ui_locales_supported ?? [];
  };

  return {
    languages,

    /** Starts a sign-in. Returns the address for the browser, and the values that the answer must contain. */
    async begin(purpose: Purpose, options: SignInOptions) {
      const codeVerifier = openid.randomPKCECodeVerifier();
      const flow: Flow = {
        issuer: config.issuer,
        purpose,
        codeVerifier,
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        target: options.target,
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
      if (options.language !== undefined && (await languages()).includes(options.language)) {
        parameters.set('ui_locales', options.language);
        parameters.set('requested_language', options.language);
      }
      if (options.site !== undefined) parameters.set('site', options.site);
      if (options.loginHint !== undefined) parameters.set('login_hint', options.loginHint);
      // A region that takes over sends this parameter back when it initiates the login; `state` would be lost (OpenID
      // Connect Core, 4).
      if (options.target !== undefined)
        parameters.set('target_link_uri', `${config.publicUrl}${options.target}`);
      return { flow, address: openid.buildAuthorizationUrl(await configuration(), parameters).href };
    },

    /**
     * Exchanges the authorization code of an answer for tokens. The library verifies state, nonce, `iss`, signature,
     * audience and times.
     */
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

    /** The address that starts a sign-out at the provider. */
    async endSessionAddress(idToken: string): Promise<string> {
      return openid.buildEndSessionUrl(await configuration(), {
        id_token_hint: idToken,
        post_logout_redirect_uri: `${config.publicUrl}/signed-out`,
      }).href;
    },
  };
}
/** The provider's error code, if it is a standard one. */
export function readRefusal(error: unknown): string | undefined {
  return error instanceof openid.AuthorizationResponseError ? error.error : undefined;
}
