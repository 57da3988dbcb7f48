import * as client from 'openid-client';
import { createRemoteJWKSet, customFetch } from 'jose';
import type { JWTVerifyGetKey } from 'jose';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Keys } from '../../lib/keys.ts';
import type { ExternalProof, OpenidConnection } from '../connection.ts';
import { ExternalFailure } from '../external-provider.ts';
import type { CompanyProvider } from '../external-provider.ts';
import type { ExternalRequest } from '../external-requests.ts';
import type { VerifiedSignOut } from '../external-sessions.ts';
import { createDiscovery } from './discovery.ts';
import { validateLogoutToken } from './logout-token.ts';
import { createOutgoingFetch } from './outgoing.ts';
import { readProof } from './read-proof.ts';
import type { OutgoingFetch } from './outgoing.ts';

/** The redirect URI, registered at the providers. */
export const callbackPath = '/external/callback';
/** The post-logout redirect URI, registered at the providers. */
export const signedOutPath = '/external/signed-out';
/** The back-channel logout URI; the connection's name follows as the last segment (OpenID Connect Back-Channel Logout 1.0). */
export const backChannelPath = '/external/back-channel-sign-out';

/** OpenID providers of other organisations (OpenID Connect Core 1.0, code flow). */
export type CompanyOpenidProvider = CompanyProvider<OpenidConnection> & {
  /**
   * Redeems the authorization code of a response and validates the ID token. The caller has consumed `request`, so this
   * happens once.
   * @throws ExternalFailure with a reason for the log
   */
  receive: (
    connection: OpenidConnection,
    request: ExternalRequest & { id: string },
    answer: URL,
  ) => Promise<ExternalProof>;
  /**
   * The provider's logout URL, from which the browser returns with `state`; undefined if the provider has none.
   * @throws ExternalFailure if the provider is unreachable
   */
  findSignOutAddress: (
    connection: OpenidConnection,
    request: { idToken: string | undefined; state: string },
  ) => Promise<URL | undefined>;
  /**
   * Validates a logout token and returns the sessions that the provider has ended.
   * @throws ExternalFailure
   */
  verifySignOut: (connection: OpenidConnection, token: string) => Promise<VerifiedSignOut>;
};

export function createCompanyOpenidProvider(dependencies: {
  publicUrl: string;
  privateAddresses: boolean;
  /** Permits providers without TLS, for trials on one machine. */
  insecure: boolean;
  clock: Clock;
  log: Log;
  /** The signing keys for `private_key_jwt`. */
  keys: Pick<Keys, 'signing'>;
}): CompanyOpenidProvider {
  const { publicUrl, privateAddresses, insecure, clock, log, keys } = dependencies;
  const fetch = createOutgoingFetch({ privateAddresses, insecure });
  const discover = createDiscovery({ clock, log, fetch, insecure, signing: keys.signing.keys });
  const keysAt = createKeySets({ fetch });
  const redirectUri = `${publicUrl}${callbackPath}`;

  return {
    createSecrets: () => ({ nonce: client.randomNonce(), codeVerifier: client.randomPKCECodeVerifier() }),

    async begin(connection, { id, secrets, forceAuthentication, loginHint }) {
      const configuration = await discover(connection);
      return client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: connection.settings.scope,
        state: id,
        nonce: requireSecret(secrets, 'nonce'),
        code_challenge: await client.calculatePKCECodeChallenge(requireSecret(secrets, 'codeVerifier')),
        code_challenge_method: 'S256',
        // Both parameters are sent, because some providers support only one of them, and `max_age` makes the provider
        // send `auth_time`.
        ...(forceAuthentication && { prompt: 'login', max_age: '0' }),
        ...(loginHint !== undefined && { login_hint: loginHint }),
      });
    },

    async receive(connection, { id, secrets, forceAuthentication, createdAt }, answer) {
      const configuration = await discover(connection);
      // an authentication before the request does not count
      const sinceSeconds = Math.max(0, Math.ceil((clock.now().getTime() - createdAt.getTime()) / 1000));
      try {
        const tokens = await client.authorizationCodeGrant(configuration, answer, {
          expectedState: id,
          expectedNonce: requireSecret(secrets, 'nonce'),
          pkceCodeVerifier: requireSecret(secrets, 'codeVerifier'),
          idTokenExpected: true,
          ...(forceAuthentication && { maxAge: sinceSeconds }),
        });
        return await readProof(configuration, connection.settings, tokens);
      } catch (error) {
        // Omits the cause: the library's error contains the response with its authorization code, which must not reach
        // the log.
        throw error instanceof ExternalFailure ? error : new ExternalFailure(describe(error));
      }
    },

    async findSignOutAddress(connection, { idToken, state }) {
      const configuration = await discover(connection);
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      try {
        // the client id identifies this service if there is no ID token
        return client.buildEndSessionUrl(configuration, {
          post_logout_redirect_uri: `${publicUrl}${signedOutPath}`,
          state,
          ...(idToken !== undefined && { id_token_hint: idToken }),
        });
      } catch (error) {
        // the URL is invalid or has no TLS
        throw new ExternalFailure('the provider’s address for sign-outs cannot be used', { cause: error });
      }
    },

    async verifySignOut(connection, token) {
      const server = (await discover(connection)).serverMetadata();
      if (server.jwks_uri === undefined) throw new ExternalFailure('the provider publishes no keys');
      const expected = {
        issuer: server.issuer,
        clientId: connection.settings.clientId,
        algorithms: server.id_token_signing_alg_values_supported ?? ['RS256'],
        keys: keysAt(server.jwks_uri),
      };
      return await validateLogoutToken(token, expected, clock.now());
    },
  };
}

function requireSecret(secrets: Readonly<Record<string, string>>, name: string): string {
  const secret = secrets[name];
  if (secret === undefined) throw new ExternalFailure(`the stored request has no ${name}`);
  return secret;
}

/** Only standard error codes are logged, never a provider's own text. */
const standardCode = /^[a-z_]{1,60}$/;

/** RFC 6749, 5.2: the secret is wrong, or sent with a method that the provider does not expect. */
const wrongClient =
  'the provider answered invalid_client: check the client id, the client secret and tokenAuthentication of the connection';

function describe(error: unknown): string {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    const code = standardCode.test(error.error) ? error.error : 'an error of its own';
    return code === 'invalid_client' ? wrongClient : `the provider answered ${code}`;
  }
  if (error instanceof client.ClientError) return `the provider’s answer was refused: ${findCheck(error)}`;
  return `the provider did not answer as it should (${findNetworkCode(error) ?? 'no reason known'})`;
}

/**
 * Returns the library's message about the failed check, which names the claim but contains no value from the provider.
 */
function findCheck({ message, cause }: client.ClientError): string {
  return cause instanceof Error && cause.name === 'OperationProcessingError' ? cause.message : message;
}

/** The error code, such as ECONNREFUSED, from anywhere in the chain of causes. */
function findNetworkCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^E[A-Z_]{2,40}$/.test(code) ? code : findNetworkCode(error.cause);
}

/** The longest wait of a request for another company's server, as for discovery. */
const timeoutMs = 4_000;
/** The minimum interval between requests for an unknown key id. */
const refetchIntervalMs = 60_000;

/**
 * The published keys of the providers, cached in each process and fetched again for an unknown key id. A key that a
 * provider has withdrawn is rejected within ten minutes.
 */
function createKeySets({ fetch }: { fetch: OutgoingFetch }): (address: string) => JWTVerifyGetKey {
  const known = new Map<string, JWTVerifyGetKey>();
  return (address) => {
    const keys =
      known.get(address) ??
      createRemoteJWKSet(new URL(address), {
        timeoutDuration: timeoutMs,
        cooldownDuration: refetchIntervalMs,
        [customFetch]: (url, { method, headers, signal }) =>
          fetch(url, { method, headers: Object.fromEntries(headers), signal }),
      });
    known.set(address, keys);
    return keys;
  };
}
