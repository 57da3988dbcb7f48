import { sql } from 'kysely';
import { errors } from 'oidc-provider';
import type { Configuration } from 'oidc-provider';
import * as v from 'valibot';
import type { Services } from '../services.ts';
import { siteOfGrant } from './grants-store.ts';

type Features = NonNullable<Configuration['features']>;
type IntrospectionPolicy = Extract<
  NonNullable<Features['introspection']>,
  { allowedPolicy?: unknown }
>['allowedPolicy'];

/** What is registered of a client that is an API: access tokens can be for it. */
const apiMetadata = v.object({
  resource: v.string(),
  resource_scopes: v.fallback(v.string(), ''),
  resource_tokens: v.fallback(v.picklist(['jwt', 'opaque']), 'jwt'),
});

/** The APIs that a client may get tokens for. */
const allowedResources = v.fallback(v.array(v.string()), []);

/**
 * Access tokens for registered APIs (RFC 8707): JWTs (RFC 9068), or opaque ones that the API introspects. A client gets them for the APIs
 * that stand in its own registration.
 */
export function createResourceIndicators(
  { database }: Pick<Services, 'database'>,
  options: { algorithm: 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | 'Ed25519'; lifetimeSeconds: number },
): NonNullable<Features['resourceIndicators']> {
  return {
    enabled: true,
    async getResourceServerInfo(_ctx, resource, client) {
      const api = v.parse(allowedResources, client['resources']).includes(resource)
        ? await findApi(resource)
        : undefined;
      if (api === undefined)
        throw new errors.InvalidTarget('resource must be an API that is registered for this client');
      return {
        scope: api.resource_scopes,
        audience: resource,
        accessTokenTTL: options.lifetimeSeconds,
        accessTokenFormat: api.resource_tokens,
        jwt: { sign: { alg: options.algorithm } },
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

/** A client introspects its own tokens, an API those for it. Any other token is answered as inactive (RFC 7662, 4). */
export const isIntrospectionAllowed: IntrospectionPolicy = (_ctx, client, token) =>
  client.clientAuthMethod !== 'none' &&
  (token.clientId === client.clientId ||
    ('aud' in token && token.aud !== undefined && token.aud === client['resource']));

/** A token for an API names the site that its user entered, as the ID token does. */
export const extraTokenClaims: NonNullable<Configuration['extraTokenClaims']> = (_ctx, token) => {
  const site =
    'grantId' in token && token.aud !== undefined && token.grantId !== undefined
      ? siteOfGrant(token.grantId)
      : undefined;
  return site === undefined ? undefined : { site };
};
