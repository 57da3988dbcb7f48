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

/** A provider answers within this time, or the trip fails: nobody waits on another company's machine for longer. */
const answerWithinSeconds = 4;
/** What a provider says of itself changes when somebody moves it. */
const freshSeconds = 60 * 60;
/** One that did not answer is not asked again by each visitor. */
const askAgainSeconds = 30;

type Known = {
  /** What it was read for: other settings are another provider. */
  key: string;
  configuration: client.Configuration | undefined;
  askAgainAt: Date;
};

/**
 * What each connection's provider says of itself (OpenID Connect Discovery 1.0), kept for an hour. When it cannot be asked
 * then, what it said last is still used: a provider that is away for discovery may well sign people in (attacks and faults, F09).
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
  const asking = new Map<string, Promise<client.Configuration>>();

  return async (connection: OpenidConnection): Promise<client.Configuration> => {
    const key = JSON.stringify([connection.settings, connection.clientSecret]);
    const before = known.get(connection.id);
    const last = before?.key === key ? before : undefined;
    if (last !== undefined && clock.now() < last.askAgainAt) {
      if (last.configuration !== undefined) return last.configuration;
      throw new ExternalFailure('the provider could not be reached a moment ago');
    }
    const askKey = `${connection.id} ${key}`;
    const asked =
      asking.get(askKey) ??
      askProvider(connection, dependencies).finally(() => {
        asking.delete(askKey);
      });
    asking.set(askKey, asked);
    try {
      const configuration = await asked;
      known.set(connection.id, { key, configuration, askAgainAt: addSeconds(clock.now(), freshSeconds) });
      return configuration;
    } catch (error) {
      const configuration = last?.configuration;
      known.set(connection.id, { key, configuration, askAgainAt: addSeconds(clock.now(), askAgainSeconds) });
      if (configuration === undefined) {
        throw toFailure(error, connection.settings.issuer);
      }
      log.warn(
        { err: error, connection: connection.name },
        'a provider cannot be asked: its last document is used',
      );
      return configuration;
    }
  };
}

async function askProvider(
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
      timeout: answerWithinSeconds,
      [client.customFetch]: fetch,
      execute: [
        // the signature of an ID token is checked though it comes over TLS (OpenID Connect Core, 3.1.3.7, would let it pass)
        client.enableNonRepudiationChecks,
        ...(insecure ? [client.allowInsecureRequests] : []),
      ],
    },
  );
}

/** The issuer that is expected and the one that was found; anything else stays the cause of the failure. */
function toFailure(error: unknown, expected: string): ExternalFailure {
  if (error instanceof ExternalFailure) return error;
  const details = v.safeParse(otherIssuer, error);
  return details.success
    ? new ExternalFailure(
        `the provider’s discovery document is of another issuer: expected ${expected}, found ${details.output.cause.body.issuer}`,
      )
    : new ExternalFailure('the provider’s discovery document cannot be read', { cause: error });
}

/** As openid-client reports a document whose issuer differs. Its text comes from the provider, so it is short and printable. */
const otherIssuer = v.object({
  cause: v.object({
    attribute: v.literal('issuer'),
    body: v.object({ issuer: v.pipe(v.string(), v.regex(/^[\u0021-\u007e]{1,300}$/)) }),
  }),
});
