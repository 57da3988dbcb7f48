import type { Configuration } from 'oidc-provider';
import type { Services } from '../services.ts';
import { acrValues } from '../sessions/assurance.ts';
import { claimsByScope, createFindAccount } from './claims.ts';
import { createAdapterFactory } from './adapter.ts';
import { isOriginOfClient } from './cross-origin.ts';
import { callApplication, guardsPrivateAddresses } from './call-application.ts';
import type { Exchanges } from './exchanges.ts';
import { createFailurePage } from './failures.ts';
import { createGrantLoader } from './grants.ts';
import { untouchedSeconds } from '../lib/sign-in-lives.ts';
import { createInteractionAddress } from './interactions.ts';
import { createPolicy } from './policy.ts';
import { requireStorable } from './request-size.ts';
import { authorizePath, signOutPath } from './return-url.ts';
import { createResourceIndicators, extraTokenClaims, isIntrospectionAllowed } from './resources.ts';
import { createSignOutPage } from './sign-outs.ts';

const daySeconds = 24 * 60 * 60;

/** A code is worth a sign-in, so it lives as short as the standard's shortest example (RFC 6749, 4.1.2; ASVS V10.4). */
const codeSeconds = 60;
/** Access tokens that live with the session end with it; those that do not (`offline_access`) are renewed this often. */
const accessTokenSeconds = 10 * 60;
/** The provider allows no more. */
const pushedRequestSeconds = 60;
const refreshTokenSeconds = 14 * daySeconds;

/** The provider signs ID tokens with these; the present key's is the clients' default. */
const signingAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'] as const;

/**
 * The provider's settings. Everything whose default is unsafe or a convenience for trying out is said here, also where
 * it is off by default today: a later version must not switch it on behind our back.
 */
export function createConfiguration(
  services: Services,
  exchanges: Exchanges,
  cookie: { name: string; secure: boolean },
): Configuration {
  const { config, keys } = services;
  const signOutPage = createSignOutPage(services);
  const algorithm = signingAlgorithms.find((name) => name === keys.signing.keys[0]?.alg);
  if (algorithm === undefined) throw new Error('The provider needs a key to sign with');

  return {
    adapter: createAdapterFactory(services),
    jwks: { keys: keys.signing.keys },
    findAccount: createFindAccount(services),
    loadExistingGrant: createGrantLoader(services, exchanges),
    interactions: {
      policy: createPolicy(services, exchanges),
      url: createInteractionAddress(services, exchanges),
    },
    renderError: createFailurePage(services, exchanges),

    routes: {
      authorization: authorizePath,
      token: '/connect/token',
      userinfo: '/connect/userinfo',
      revocation: '/connect/revocation',
      introspection: '/connect/introspection',
      pushed_authorization_request: '/connect/par',
      jwks: '/connect/jwks',
      end_session: signOutPath,
    },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: false },
      dPoP: { enabled: false },
      introspection: { enabled: true, allowedPolicy: isIntrospectionAllowed },
      pushedAuthorizationRequests: { enabled: true, allowUnregisteredRedirectUris: false },
      registration: { enabled: false },
      requestObjects: { enabled: false },
      resourceIndicators: createResourceIndicators(services, {
        algorithm,
        lifetimeSeconds: accessTokenSeconds,
      }),
      claimsParameter: { enabled: true },
      clientCredentials: { enabled: true },
      backchannelLogout: { enabled: true },
      // another application's token is answered like one that never was (RFC 7009, 2.1 and 2.2)
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      userinfo: { enabled: true },
      rpInitiatedLogout: { enabled: true, logoutSource: signOutPage },
    },

    discovery: {
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
    },
    // what the provider asks of others: registered addresses alone, and no redirect of theirs
    fetch: (url, options) => callApplication(url, options, guardsPrivateAddresses(config)),

    // a confidential client can be registered without; a public one has nothing else that binds the code to it (RFC 9700, 2.1.1)
    pkce: {
      required: (_ctx, client) => client.clientAuthMethod === 'none' || client['pkce_optional'] !== true,
    },
    responseTypes: ['code'],
    allowOmittingSingleRegisteredRedirectUri: false,
    acceptQueryParamAccessTokens: false,
    rotateRefreshToken: true,
    clientBasedCORS: (_ctx, origin, client) => isOriginOfClient(origin, client.metadata()),
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    clientDefaults: {
      grant_types: ['authorization_code'],
      response_types: ['code'],
      id_token_signed_response_alg: algorithm,
      token_endpoint_auth_method: 'client_secret_basic',
    },
    subjectTypes: ['public'],
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    claims: claimsByScope,
    acrValues,
    extraTokenClaims,
    extraClientMetadata: {
      properties: [
        'id_token_profile',
        'pkce_optional',
        'resource',
        'resources',
        'backchannel_logout_private',
      ],
    },
    // `site`: the organisation the application already knows. `requested_language`: the page's language. `target_link_uri`: the
    // application's own page that somebody set out for, which comes back where another region has to be asked (`initiate-login.ts`).
    // The one check of `site` is about all parameters: it comes after those that decide whether the application may hear of an error.
    extraParams: { site: requireStorable, requested_language: null, target_link_uri: null },

    cookies: {
      names: {
        session: cookie.name,
        interaction: `${cookie.name}_interaction`,
        resume: `${cookie.name}_resume`,
      },
      keys: keys.providerCookies,
      long: { httpOnly: true, sameSite: 'lax', path: '/', secure: cookie.secure },
      // never sent to a browser: see gate.ts
      short: { httpOnly: true, sameSite: 'lax', path: '/', secure: cookie.secure, signed: false },
    },
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: codeSeconds,
      ClientCredentials: accessTokenSeconds,
      Grant: refreshTokenSeconds,
      IdToken: accessTokenSeconds,
      // longer once its page has made a call (extend-sign-in.ts)
      Interaction: untouchedSeconds,
      PushedAuthorizationRequest: pushedRequestSeconds,
      RefreshToken: refreshTokenSeconds,
      // a sign-out makes one even where nobody is signed in
      Session: (_ctx, session) =>
        session.accountId === undefined ? untouchedSeconds : config.sessions.absoluteSeconds,
    },
  };
}
