import * as client from 'openid-client';
import * as v from 'valibot';
import type { Log } from '../../lib/log.ts';
import { addSeconds } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SigningKey } from '../../lib/keys.ts';
import type { OpenidConnection } from '../connection.ts';
import { ExternalFailure } from '../external-provider.ts';
import { createTokenAuthentication } from './token-authentication.ts';
import { clockToleranceSeconds } from './id-token-claims.ts';
import type { OutgoingFetch } from './outgoing.ts';

/** The timeout for a provider's document: the longest wait of a sign-in for another company's server. */
const timeoutSeconds = 4;
/** How long a document is cached. */
const cacheSeconds = 60 * 60;
/** After a failure, the provider is not asked again for this long. */
const retryAfterFailureSeconds = 30;

type Known = {
  /** Identifies the settings that the document was read for; changed settings need a new document. */
  key: string;
  configuration: client.Configuration | undefined;
  refreshAt: Date;
};

/**
 * The discovery documents of the providers (OpenID Connect Discovery 1.0), cached for an hour. If discovery fails after
 * that, the cached document stays in use, because sign-ins may still work (attacks and faults, F09).
 */
export function createDiscovery(dependencies: {
  clock: Clock;
  log: Log;
  fetch: OutgoingFetch;
  insecure: boolean;
  signing: readonly SigningKey[];
}) {
  const { clock, log } = dependencies;
  const known = new Map<string, Known>();
  const pending = new Map<string, Promise<client.Configuration>>();

  return async (connection: OpenidConnection): Promise<client.Configuration> => {
    const key = JSON.stringify([connection.settings, connection.clientSecret]);
    const before = known.get(connection.id);
    const last = before?.key === key ? before : undefined;
    if (last !== undefined && clock.now() < last.refreshAt) {
      if (last.configuration !== undefined) return last.configuration;
      throw new ExternalFailure('the provider could not be reached a moment ago');
    }
    const requestKey = `${connection.id} ${key}`;
    const request =
      pending.get(requestKey) ??
      discover(connection, dependencies).finally(() => {
        pending.delete(requestKey);
      });
    pending.set(requestKey, request);
    try {
      const configuration = await request;
      known.set(connection.id, { key, configuration, refreshAt: addSeconds(clock.now(), cacheSeconds) });
      return configuration;
    } catch (error) {
      const configuration = last?.configuration;
      known.set(connection.id, {
        key,
        configuration,
        refreshAt: addSeconds(clock.now(), retryAfterFailureSeconds),
      });
      if (configuration === undefined) {
        throw toFailure(error, connection.settings.issuer);
      }
      log.warn(
        { err: error, connection: connection.name },
        'the discovery document of a provider is unavailable: using the last one',
      );
      return configuration;
    }
  };
}

async function discover(
  connection: OpenidConnection,
  { fetch, insecure, signing }: { fetch: OutgoingFetch; insecure: boolean; signing: readonly SigningKey[] },
): Promise<client.Configuration> {
  const { issuer, clientId } = connection.settings;
  return await client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockTolerance]: clockToleranceSeconds },
    await createTokenAuthentication(connection, signing),
    {
      timeout: timeoutSeconds,
      [client.customFetch]: fetch,
      execute: [
        // Verifies the signature of the ID token, which OpenID Connect Core, 3.1.3.7, makes optional over TLS.
        client.enableNonRepudiationChecks,
        ...(insecure ? [client.allowInsecureRequests] : []),
      ],
    },
  );
}

/** Reports the expected and the actual issuer; any other error is kept as the cause. */
function toFailure(error: unknown, expected: string): ExternalFailure {
  if (error instanceof ExternalFailure) return error;
  const details = v.safeParse(otherIssuer, error);
  return details.success
    ? new ExternalFailure(
        `the provider’s discovery document is of another issuer: expected ${expected}, found ${details.output.cause.body.issuer}`,
      )
    : new ExternalFailure('the provider’s discovery document cannot be read', { cause: error });
}

/**
 * The error with which openid-client reports a document with another issuer. The provider controls the reported issuer,
 * so only short and printable text is accepted.
 */
const otherIssuer = v.object({
  cause: v.object({
    attribute: v.literal('issuer'),
    body: v.object({ issuer: v.pipe(v.string(), v.regex(/^[\u0021-\u007e]{1,300}$/)) }),
  }),
});
