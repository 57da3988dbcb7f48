import { supportedLocales } from '@anteroom/contract';
import type { Configuration } from 'oidc-provider';
import type { Services } from '../services.ts';
import { acrValues } from '../sessions/assurance.ts';
import { withDerivedKeys } from '../lib/derived-keys.ts';
import { untouchedSeconds } from '../lib/sign-in-lives.ts';
import { claimsByScope, createFindAccount } from './claims.ts';
import { createAdapterFactory } from './adapter.ts';
import { isOriginOfClient } from './cross-origin.ts';
import { callApplication, guardsPrivateAddresses } from './call-application.ts';
import type { ExchangesByRequest } from './exchanges-by-request.ts';
import { createFailurePage } from './own-pages.ts';
import { createGrantLoader } from './grants.ts';
import { createInteractionAddress } from './interactions.ts';
import { createPolicy } from './interaction-policy.ts';
import { requireStorable } from './request-limits.ts';
import { authorizePath, signOutPath } from './return-url.ts';
import { createResourceIndicators, extraTokenClaims, isIntrospectionAllowed } from './resources.ts';
import { createSignOutPage } from '../sign-out/sign-outs.ts';

const daySeconds = 24 * 60 * 60;

/** A stolen code allows a sign-in, so its lifetime is kept short (RFC 6749, 4.1.2; ASVS V10.4). */
const codeSeconds = 60;
/**
 * The lifetime of access tokens. Tokens bound to a session also end with it; clients with `offline_access` refresh
 * their tokens at this interval.
 */
const accessTokenSeconds = 10 * 60;
/** The maximum that the provider allows. */
const pushedRequestSeconds = 60;
const refreshTokenSeconds = 14 * daySeconds;

/** The algorithms for ID tokens. Clients without `id_token_alg` get the algorithm of the current key. */
export const signingAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'] as const;

/**
 * The provider's settings. Every option with an unsafe or development-only default is set explicitly, even if it is
 * off by default today, so that an upgrade cannot enable it unnoticed.
 */
export function createConfiguration(
  services: Services,
  exchanges: ExchangesByRequest,
  cookie: { name: string; secure: boolean },
): Configuration {
  const { config, keys } = services;
  const signOutPage = createSignOutPage(services, exchanges);
  const algorithm = signingAlgorithms.find((name) => name === keys.signing.keys[0]?.alg);
  if (algorithm === undefined) throw new Error('The provider needs a key to sign with');

  return {
    adapter: createAdapterFactory(services, exchanges),
    jwks: { keys: withDerivedKeys(keys.signing.keys) },
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
      // The response for another client's token is the same as for an unknown token (RFC 7009, 2.1 and 2.2).
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
      ui_locales_supported: supportedLocales,
    },
    // the provider only requests registered URLs, and follows no redirects
    fetch: (url, options) => callApplication(url, options, guardsPrivateAddresses(config)),

    // A confidential client can be registered without PKCE. A public client needs PKCE, because nothing else binds the
    // authorization code to it (RFC 9700, 2.1.1).
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
        'management_scopes',
        'backchannel_logout_private',
      ],
    },
    // `site`: the organisation that the application already knows. `requested_language`: the language of the page.
    // `target_link_uri`: the application page that the visitor requested, passed on if another region handles the
    // sign-in (`initiate-login.ts`). The check attached to `site` covers all parameters. It runs after the redirect URI
    // is validated, so its errors can be returned to the application.
    extraParams: { site: requireStorable, requested_language: null, target_link_uri: null },

    cookies: {
      names: {
        session: cookie.name,
        interaction: `${cookie.name}_interaction`,
        resume: `${cookie.name}_resume`,
      },
      keys: keys.providerCookies,
      long: { httpOnly: true, sameSite: 'lax', path: '/', secure: cookie.secure },
      // never sent to a browser (gate.ts)
      short: { httpOnly: true, sameSite: 'lax', path: '/', secure: cookie.secure, signed: false },
    },
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: codeSeconds,
      ClientCredentials: accessTokenSeconds,
      Grant: refreshTokenSeconds,
      IdToken: accessTokenSeconds,
      // extended after the first call from its page (find-sign-in.ts)
      Interaction: untouchedSeconds,
      PushedAuthorizationRequest: pushedRequestSeconds,
      RefreshToken: refreshTokenSeconds,
      // A sign-out creates a provider session even if no user is signed in; that session expires early.
      Session: (_ctx, session) =>
        session.accountId === undefined ? untouchedSeconds : config.sessions.absoluteSeconds,
    },
  };
}
