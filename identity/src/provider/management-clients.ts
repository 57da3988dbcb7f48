import { createLocalJWKSet, jwtVerify } from 'jose';
import { sql } from 'kysely';
import * as v from 'valibot';
import { withDerivedKeys } from '../lib/derived-keys.ts';
import type { Keys } from '../lib/keys.ts';
import type { Random } from '../lib/random.ts';
import type { Services } from '../services.ts';
import type { Database } from '../store/schema.ts';
import { accountClientId, addPageClient, proofAddress } from './account-client.ts';

/** The OpenID client of the console, which verifies its user through the standard sign-in, as the account page does. */
export const consoleClientId = 'anteroom-console';

/** Whether the client is a page of this service, not an application. */
export const isPageClient = (clientId: string): boolean =>
  clientId === accountClientId || clientId === consoleClientId;

const consoleAddress = (publicUrl: string): string => `${publicUrl}/console/`;

export function addConsoleClient(services: Pick<Services, 'database' | 'config' | 'clock'>): void {
  addPageClient(services, consoleClientId, consoleAddress(services.config.publicUrl));
}

/** @param returnTo where the console goes on, as a path below it */
export function consoleProofAddress(
  { config, random }: { config: Services['config']; random: Random },
  { language, returnTo }: { language: string; returnTo: string | undefined },
): string {
  const client = { id: consoleClientId, address: consoleAddress(config.publicUrl) };
  return proofAddress(config.publicUrl, random, client, { prompt: 'elevate', language, state: returnTo });
}

/** The audience of access tokens for the management API. */
export function managementResourceOf(publicUrl: string): string {
  return `${publicUrl}/api/manage`;
}

const tokenClaims = v.object({
  client_id: v.string(),
  sub: v.string(),
  scope: v.optional(v.string(), ''),
});

/**
 * Verifies an access token that a client got for itself (RFC 9068). Undefined if it is not valid, or the client has been
 * removed.
 */
export async function findTokenHolder(
  { keys, config, database }: { keys: Keys; config: Services['config']; database: Database },
  token: string,
): Promise<{ clientId: string; scopes: string[] } | undefined> {
  const known = createLocalJWKSet({ keys: withDerivedKeys(keys.signing.keys).map(toPublic) });
  const verified = await jwtVerify(token, known, {
    issuer: config.publicUrl,
    audience: managementResourceOf(config.publicUrl),
    typ: 'at+jwt',
  }).catch(() => undefined);
  const claims = v.safeParse(tokenClaims, verified?.payload);
  if (!claims.success) return undefined;
  const { client_id: clientId, sub, scope } = claims.output;
  // A token of a user belongs to a sign-in, not to a system.
  if (sub !== clientId) return undefined;
  // Read with every request, so that a removed client, or one that lost a scope, is out at once.
  const client = await database
    .selectFrom('clients')
    .select(sql<string | null>`metadata ->> 'management_scopes'`.as('scopes'))
    .where('id', '=', clientId)
    .executeTakeFirst();
  if (client === undefined) return undefined;
  const registered = client.scopes?.split(' ') ?? [];
  return { clientId, scopes: scope.split(' ').filter((one) => registered.includes(one)) };
}

function toPublic({ kty, crv, x, y, n, e, kid, alg, use }: Keys['signing']['keys'][number]) {
  return { kty: kty ?? '', crv, x, y, n, e, kid, alg, use };
}
