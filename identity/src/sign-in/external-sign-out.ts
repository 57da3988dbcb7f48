import * as v from 'valibot';
import type { Connection, ExternalProof } from '../enterprise/connection.ts';
import { findConnection } from '../enterprise/connections-store.ts';
import { ExternalFailure } from '../enterprise/external-provider.ts';
import { findExternalSession, takeIdToken } from '../enterprise/external-sessions.ts';
import type { Exchange } from '../http/exchange.ts';
import { addSeconds } from '../lib/clock.ts';
import { seal, unseal } from '../lib/sealed.ts';
import type { FoundSession } from '../sessions/session.ts';
import type { SignInServices } from './sign-in-services.ts';

// Whoever signs out here is signed out at their company's OpenID provider too, where its connection says so (OpenID Connect RP-Initiated
// Logout 1.0): behind the logged-out page the browser goes there, and comes back by us to the application. What a trip needs stands in its
// address under our seal, because the session that it belongs to is over by then.

/** Where such a trip begins. */
export const signOutPath = '/external/sign-out';

/** As long as somebody may take to confirm, and to answer the company's question. */
const tripSeconds = 60 * 60;

const outbound = v.object({
  until: v.number(),
  browserId: v.string(),
  personId: v.string(),
  connectionId: v.string(),
  /** Where the sign-out leads in the end; null for one that ends on our logged-out page. */
  onwards: v.nullable(v.string()),
});
const inbound = v.pick(outbound, ['until', 'onwards']);
const contexts = { outbound: 'to a sign-out elsewhere', inbound: 'back from a sign-out elsewhere' } as const;

/** The provider that a session came from, and what it calls it. */
export type ProviderOfSession = {
  connection: Connection;
  browserId: string;
  personId: string;
} & Pick<ExternalProof, 'subject' | 'sessionIndex' | 'subjectQualifiers'>;

/** Undefined for a session that came from no provider, or whose connection is not there any more. */
export async function findProviderOfSession(
  { database, keys }: Pick<SignInServices, 'database' | 'keys'>,
  found: FoundSession,
): Promise<ProviderOfSession | undefined> {
  if (found.state !== 'valid' || !found.session.externallyAuthenticated) return undefined;
  const { browserId, personId } = found.session;
  const session = await findExternalSession(database, browserId, personId);
  const connection = session && (await findConnection(database, keys, session.connectionId));
  return session && connection && { ...session, connection, browserId, personId };
}

/** The address of the trip to the provider, for a browser that has signed out; undefined when the provider does not want it. */
export function writeSignOutTrip(
  services: Pick<SignInServices, 'config' | 'clock' | 'keys' | 'random'>,
  provider: ProviderOfSession | undefined,
  onwards: string | undefined,
): string | undefined {
  if (provider === undefined || !signsOutThere(provider.connection)) return undefined;
  const { connection, browserId, personId } = provider;
  const ticket = write(services, contexts.outbound, {
    browserId,
    personId,
    connectionId: connection.id,
    onwards: onwards ?? null,
  });
  return `${services.config.publicUrl}${signOutPath}?${new URLSearchParams({ ticket }).toString()}`;
}

/**
 * Where a browser goes from a trip's address: to the provider, or on at once when that cannot be. Undefined for what we have not sealed.
 * Whoever is signed in has turned back, and stays signed in at the company as well.
 */
export async function leaveForSignOut(
  services: SignInServices,
  ticket: unknown,
  exchange: Exchange,
): Promise<string | undefined> {
  const trip = read(services, contexts.outbound, outbound, ticket);
  if (trip === undefined) return undefined;
  const onwards = trip.onwards ?? loggedOutPage;
  if ((await exchange.findSession()).state === 'valid') return trip.onwards ?? '/ui/';
  const connection = await findConnection(services.database, services.keys, trip.connectionId);
  if (connection === undefined || !signsOutThere(connection)) return onwards;
  const idToken = await takeIdToken(services, trip);
  const state = write(services, contexts.inbound, { onwards: trip.onwards });
  try {
    const address = await services.providers.openid.findSignOutAddress(connection, { idToken, state });
    return address?.href ?? onwards;
  } catch (error) {
    if (!(error instanceof ExternalFailure)) throw error;
    exchange.log.warn({ err: error, connection: connection.name }, 'a provider cannot be told of a sign-out');
    return onwards;
  }
}

/** Where a browser goes that has come back. Whatever is not ours, or brings nothing, ends on our own page. */
export function returnFromSignOut(services: Pick<SignInServices, 'clock' | 'keys'>, state: unknown): string {
  return read(services, contexts.inbound, inbound, state)?.onwards ?? loggedOutPage;
}

const loggedOutPage = '/ui/account/logged-out';

function signsOutThere(connection: Connection): connection is Extract<Connection, { kind: 'openid' }> {
  return connection.kind === 'openid' && connection.settings.signOutThere;
}

function write(
  { clock, keys, random }: Pick<SignInServices, 'clock' | 'keys' | 'random'>,
  context: string,
  contents: Record<string, string | null>,
): string {
  const until = addSeconds(clock.now(), tripSeconds).getTime();
  return seal(keys.clientSecrets, JSON.stringify({ until, ...contents }), context, random);
}

function read<Contents extends { until: number }>(
  { clock, keys }: Pick<SignInServices, 'clock' | 'keys'>,
  context: string,
  contents: v.GenericSchema<unknown, Contents>,
  sealed: unknown,
): Contents | undefined {
  const text = typeof sealed === 'string' ? unseal(keys.clientSecrets, sealed, context) : undefined;
  if (text === undefined) return undefined;
  // it was sealed by us, so it is what we write
  const trip = v.parse(contents, JSON.parse(text));
  return trip.until > clock.now().getTime() ? trip : undefined;
}
