import * as client from 'openid-client';
import type { ServerMetadata } from 'openid-client';
import { importJWK } from 'jose';
import type { SigningKey } from '../../lib/keys.ts';
import type { OpenidConnection, TokenAuthentication } from '../connection.ts';
import { ExternalFailure } from '../external-provider.ts';

/**
 * Creates the authentication of this service at the provider's token endpoint.
 * @param signing keys for `private_key_jwt`, the current one first; the provider reads the public keys at
 * `/connect/jwks`
 * @throws ExternalFailure if the connection needs a secret and has none
 */
export async function createTokenAuthentication(
  { settings, clientSecret }: OpenidConnection,
  signing: readonly SigningKey[],
): Promise<client.ClientAuth> {
  const { clientId, tokenAuthentication } = settings;
  if (tokenAuthentication === 'private_key_jwt') return await authenticateWithKey(signing);
  if (clientSecret === undefined) {
    if (tokenAuthentication === undefined) return client.None();
    throw new ExternalFailure(`the connection has no client secret for ${tokenAuthentication}`);
  }
  const methods: Record<Exclude<TokenAuthentication, 'private_key_jwt'>, client.ClientAuth> = {
    client_secret_basic: client.ClientSecretBasic(clientSecret),
    client_secret_post: client.ClientSecretPost(clientSecret),
    client_secret_basic_unencoded: (_server, _client, _body, headers) => {
      const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
      headers.set('authorization', `Basic ${credentials}`);
    },
  };
  return (server, ...message) => methods[tokenAuthentication ?? findAnnounced(server)](server, ...message);
}

/** `client_secret_basic` is the default (OpenID Connect Core, 9), unless the provider supports `client_secret_post` but not basic. */
export function findAnnounced(
  server: Pick<ServerMetadata, 'token_endpoint_auth_methods_supported'>,
): 'client_secret_basic' | 'client_secret_post' {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const isPostOnly = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
  return isPostOnly ? 'client_secret_post' : 'client_secret_basic';
}

/** Prefers an RSA key: every provider can verify RS256. */
async function authenticateWithKey(signing: readonly SigningKey[]): Promise<client.ClientAuth> {
  const jwk = signing.find(({ kty }) => kty === 'RSA') ?? signing[0];
  if (jwk === undefined) throw new ExternalFailure('there is no signing key for private_key_jwt');
  const key = await importJWK({ ...jwk }, jwk.alg);
  if (key instanceof Uint8Array) throw new ExternalFailure('the signing key is not a private key');
  return client.PrivateKeyJwt({ key, kid: jwk.kid });
}
