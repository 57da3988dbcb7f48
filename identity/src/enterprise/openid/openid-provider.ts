import * as client from 'openid-client';
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import type { ExternalProof, OpenidConnection } from '../connection.ts';
import { ExternalFailure } from '../external-provider.ts';
import type { ExternalProvider } from '../external-provider.ts';
import type { ExternalRequest } from '../external-requests.ts';
import { createDiscovery } from './discovery.ts';
import { createOutgoingFetch } from './outgoing.ts';
import { readProof } from './read-proof.ts';

/** Where providers send browsers back to; it is registered there. */
export const callbackPath = '/external/callback';

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
};

export function createOpenidProvider(dependencies: {
  publicUrl: string;
  privateAddresses: boolean;
  /** Whether a provider may be without TLS: on one machine, for trying things out. */
  insecure: boolean;
  clock: Clock;
  log: Logger;
}): OpenidProvider {
  const { publicUrl, privateAddresses, insecure, clock, log } = dependencies;
  const fetch = createOutgoingFetch({ privateAddresses, insecure });
  const discover = createDiscovery({ clock, log, fetch, insecure });
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
  };
}

function requireSecret(secrets: Readonly<Record<string, string>>, name: string): string {
  const secret = secrets[name];
  if (secret === undefined) throw new ExternalFailure(`the trip has no ${name}`);
  return secret;
}

/** The standards' own codes alone; a provider's sentences stay out of the log's reasons. */
const standardCode = /^[a-z_]{1,60}$/;

function describe(error: unknown): string {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    const said = standardCode.test(error.error) ? error.error : 'an error of its own';
    return `the provider answered ${said}`;
  }
  if (error instanceof client.ClientError) return `the provider’s answer was refused: ${error.message}`;
  return `the provider did not answer as it should (${findNetworkCode(error) ?? 'no reason known'})`;
}

/** Such as ECONNREFUSED, wherever in the chain of causes it stands. */
function findNetworkCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^E[A-Z_]{2,40}$/.test(code) ? code : findNetworkCode(error.cause);
}
