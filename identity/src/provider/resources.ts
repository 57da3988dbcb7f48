import { sql } from 'kysely';
import { errors } from 'oidc-provider';
import type { Configuration } from 'oidc-provider';
import * as v from 'valibot';
import type { Services } from '../services.ts';
import { chosenAlgorithm } from './clients-store.ts';
import { managementResourceOf } from './management-clients.ts';
import { siteOfGrant } from './grants-store.ts';

type Features = NonNullable<Configuration['features']>;
type IntrospectionPolicy = Extract<
  NonNullable<Features['introspection']>,
  { allowedPolicy?: unknown }
>['allowedPolicy'];

/** The metadata of a client that is an API, that is, a possible audience of access tokens. */
const apiMetadata = v.object({
  resource: v.string(),
  resource_scopes: v.fallback(v.string(), ''),
  resource_tokens: v.fallback(v.picklist(['jwt', 'opaque']), 'jwt'),
  id_token_alg: chosenAlgorithm,
});

/** The APIs that a client can get tokens for. */
const allowedResources = v.fallback(v.array(v.string()), []);

/**
 * Access tokens for registered APIs (RFC 8707): JWTs (RFC 9068), or opaque tokens that the API introspects. A client
 * gets them only for the APIs in its own registration.
 */
export function createResourceIndicators(
  { database, config }: Pick<Services, 'database' | 'config'>,
  options: { algorithm: 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | 'Ed25519'; lifetimeSeconds: number },
): NonNullable<Features['resourceIndicators']> {
  const managementResource = managementResourceOf(config.publicUrl);
  return {
    enabled: true,
    async getResourceServerInfo(_ctx, resource, client) {
      const scopes = scopesOfManagement(client);
      const isManagement = resource === managementResource && scopes !== '';
      const isAllowed = v.parse(allowedResources, client['resources']).includes(resource);
      const api = isManagement
        ? v.parse(apiMetadata, { resource, resource_scopes: scopes })
        : isAllowed
          ? await findApi(resource)
          : undefined;
      if (api === undefined)
        throw new errors.InvalidTarget('resource must be an API that is registered for this client');
      return {
        scope: api.resource_scopes,
        audience: resource,
        accessTokenTTL: options.lifetimeSeconds,
        accessTokenFormat: api.resource_tokens,
        // Uses the algorithm of the API, which verifies the token, and not that of the client.
        jwt: { sign: { alg: api.id_token_alg ?? options.algorithm } },
      };
    },
  };

  async function findApi(resource: string) {
    const row = await database
      .selectFrom('clients')
      .select('metadata')
      .where(sql<boolean>`metadata ->> 'resource' = ${resource}`)
      .orderBy('id')
      .executeTakeFirst();
    return row && v.parse(apiMetadata, row.metadata);
  }
}

/** The library knows no scopes of a single client, so a token gets the operations of the client's registration. */
function scopesOfManagement(client: { readonly [member: string]: unknown }): string {
  return v.parse(v.fallback(v.string(), ''), client['management_scopes']);
}

/**
 * A client can introspect its own tokens, and an API can introspect the tokens issued for it. Any other token is
 * reported as inactive (RFC 7662, 4).
 */
export const isIntrospectionAllowed: IntrospectionPolicy = (_ctx, client, token) =>
  client.clientAuthMethod !== 'none' &&
  (token.clientId === client.clientId ||
    ('aud' in token && token.aud !== undefined && token.aud === client['resource']));

/**
 * A token for an API includes the user's site, like the ID token. The membership is checked before, with each code and
 * each refresh: without it, the provider finds no account (`createFindAccount`).
 */
export const extraTokenClaims: NonNullable<Configuration['extraTokenClaims']> = (_ctx, token) => {
  const site =
    'grantId' in token && token.aud !== undefined && token.grantId !== undefined
      ? siteOfGrant(token.grantId)
      : undefined;
  return site === undefined ? undefined : { site };
};
