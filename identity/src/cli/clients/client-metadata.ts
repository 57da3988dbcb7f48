import type { ClientEntry } from './client-entry.ts';

/** Members that an entry says; what else stands in a registration (by SQL, of an earlier version) stays. */
export function toMetadata(
  entry: Required<ClientEntry>,
  present: Readonly<Record<string, unknown>>,
  secretFingerprint: string | undefined,
): Record<string, unknown> {
  const brand = withoutNull({
    productName: entry.productName,
    logoUrl: entry.logoUrl,
    accentColour: entry.accentColour,
  });
  return withoutNull({
    ...present,
    redirect_uris: entry.redirectUris,
    post_logout_redirect_uris: entry.postLogoutRedirectUris,
    grant_types: ['authorization_code', ...(entry.offlineAccess === true ? ['refresh_token'] : [])],
    token_endpoint_auth_method: entry.authentication,
    jwks_uri: entry.jwksUri,
    pkce_optional: entry.pkceOptional === true ? true : null,
    id_token_profile: entry.idTokenProfile === true ? true : null,
    initiate_login_uri: entry.initiateLoginUri,
    backchannel_logout_uri: entry.backChannelLogoutUri,
    backchannel_logout_session_required: entry.backChannelLogoutUri === null ? null : true,
    frontchannel_logout_uri: entry.frontChannelLogoutUri,
    skip_splash: entry.skipSplash === true ? true : null,
    client_secret: hasSecret(entry) ? secretFingerprint : null,
    branding: Object.keys(brand).length === 0 ? null : brand,
  });
}

/** Whether the application proves itself with a secret that we make. */
export function hasSecret({ authentication }: Pick<Required<ClientEntry>, 'authentication'>): boolean {
  return authentication === 'client_secret_basic' || authentication === 'client_secret_post';
}

function withoutNull(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  );
}
