import * as client from 'openid-client';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Keys } from '../../lib/keys.ts';
import type { ExternalProof, OpenidConnection } from '../connection.ts';
import { ExternalFailure } from '../external-provider.ts';
import type { ExternalProvider } from '../external-provider.ts';
import type { ExternalRequest } from '../external-requests.ts';
import type { HeardSignOut } from '../external-sessions.ts';
import { createDiscovery } from './discovery.ts';
import { createKeySets } from './key-sets.ts';
import { validateLogoutToken } from './logout-token.ts';
import { createOutgoingFetch } from './outgoing.ts';
import { readProof } from './read-proof.ts';

/** Where providers send browsers back to; it is registered there. */
export const callbackPath = '/external/callback';
/** Where they send browsers back to after a sign-out; it is registered there too. */
export const signedOutPath = '/external/signed-out';
/** Where they tell us, below it by the connection's name, whom they have signed out (OpenID Connect Back-Channel Logout 1.0). */
export const backChannelPath = '/external/back-channel-sign-out';

/** OpenID providers of other organisations (OpenID Connect Core 1.0, the code flow). */
export type OpenidProvider = ExternalProvider<OpenidConnection> & {
  /**
   * Redeems the code of an answer and checks everything about the ID token. `request` was taken, so that this happens once.
   * @throws ExternalFailure, with a reason for the log.
   */
  receive: (
    connection: OpenidConnection,
    request: ExternalRequest & { id: string },
    answer: URL,
  ) => Promise<ExternalProof>;
  /**
   * Where a browser is signed out there too, and comes back from with `state`; undefined for a provider that has no such place.
   * @throws ExternalFailure when it cannot be asked
   */
  findSignOutAddress: (
    connection: OpenidConnection,
    asked: { idToken: string | undefined; state: string },
  ) => Promise<URL | undefined>;
  /** Whom a provider has signed out, by its logout token. @throws ExternalFailure */
  hearSignOut: (connection: OpenidConnection, token: string) => Promise<HeardSignOut>;
};

export function createOpenidProvider(dependencies: {
  publicUrl: string;
  privateAddresses: boolean;
  /** Whether a provider may be without TLS: on one machine, for trying things out. */
  insecure: boolean;
  clock: Clock;
  log: Log;
  /** For `private_key_jwt`. */
  keys: Pick<Keys, 'signing'>;
}): OpenidProvider {
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
        // both: a provider may know one of them alone, and `max_age` is what makes it tell `auth_time`
        ...(forceAuthentication && { prompt: 'login', max_age: '0' }),
        ...(loginHint !== undefined && { login_hint: loginHint }),
      });
    },

    async receive(connection, { id, secrets, forceAuthentication, createdAt }, answer) {
      const configuration = await discover(connection);
      // who signed in before the trip began has not done so for it
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
        // without what caused it: the library puts the answer itself there, with its code, and the log has it written out
        throw error instanceof ExternalFailure ? error : new ExternalFailure(describe(error));
      }
    },

    async findSignOutAddress(connection, { idToken, state }) {
      const configuration = await discover(connection);
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      try {
        // with our client id, which says who asks where there is no ID token
        return client.buildEndSessionUrl(configuration, {
          post_logout_redirect_uri: `${publicUrl}${signedOutPath}`,
          state,
          ...(idToken !== undefined && { id_token_hint: idToken }),
        });
      } catch (error) {
        // an address that is none, or has no TLS
        throw new ExternalFailure('the provider’s address for sign-outs cannot be used', { cause: error });
      }
    },

    async hearSignOut(connection, token) {
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
  if (secret === undefined) throw new ExternalFailure(`the trip has no ${name}`);
  return secret;
}

/** The standards' own codes alone; a provider's sentences stay out of the log's reasons. */
const standardCode = /^[a-z_]{1,60}$/;

/** RFC 6749, 5.2. The secret is wrong, or sent in another way than the provider reads it. */
const wrongClient =
  'the provider answered invalid_client: check the client id, the client secret and tokenAuthentication of the connection';

function describe(error: unknown): string {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    const said = standardCode.test(error.error) ? error.error : 'an error of its own';
    return said === 'invalid_client' ? wrongClient : `the provider answered ${said}`;
  }
  if (error instanceof client.ClientError) return `the provider’s answer was refused: ${findCheck(error)}`;
  return `the provider did not answer as it should (${findNetworkCode(error) ?? 'no reason known'})`;
}

/** The check that failed, in the library's own words. They name the claim, and repeat nothing of what the provider sent. */
function findCheck({ message, cause }: client.ClientError): string {
  return cause instanceof Error && cause.name === 'OperationProcessingError' ? cause.message : message;
}

/** Such as ECONNREFUSED, wherever in the chain of causes it stands. */
function findNetworkCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^E[A-Z_]{2,40}$/.test(code) ? code : findNetworkCode(error.cause);
}
