import * as v from 'valibot';
import type { Connection, ExternalProof } from '../company/connection.ts';
import { findConnection } from '../company/connections-store.ts';
import { ExternalFailure } from '../company/external-provider.ts';
import { signedOutPath } from '../company/openid/company-provider.ts';
import { findExternalSession, takeIdToken } from '../company/external-sessions.ts';
import type { Exchange } from '../http/exchange.ts';
import { paths } from '../http/page-addresses.ts';
import { addSeconds } from '../lib/clock.ts';
import { seal, unseal } from '../lib/sealed.ts';
import type { FoundSession } from '../sessions/session.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';

// If the connection is configured for it, a sign-out here also signs the user out at the organisation's OpenID provider
// (OpenID Connect RP-Initiated Logout 1.0): the logged-out page redirects the browser there, and the provider returns
// it through this service to the application. The session has ended by then, so the URLs contain the encrypted state.

/** The route that redirects to the provider. */
export const signOutPath = '/external/sign-out';

/** Enough time for the user to confirm the sign-out here and at the provider. */
const ticketSeconds = 60 * 60;

const outbound = v.object({
  until: v.number(),
  browserId: v.string(),
  userId: v.string(),
  connectionId: v.string(),
  /** The final redirect target; null for our logged-out page. */
  onwards: v.nullable(v.string()),
});
const inbound = v.pick(outbound, ['until', 'onwards']);
const contexts = { outbound: 'to a sign-out elsewhere', inbound: 'back from a sign-out elsewhere' } as const;

/** The provider that authenticated a session, and its identifiers for the user and the session. */
export type CompanyOfSession = {
  connection: Connection;
  browserId: string;
  userId: string;
} & Pick<ExternalProof, 'subject' | 'sessionIndex' | 'subjectQualifiers'>;

/** Undefined if no provider authenticated the user, or if the connection no longer exists. */
export async function findCompanyOfSession(
  { database, keys }: Pick<SignInServices, 'database' | 'keys'>,
  found: FoundSession,
): Promise<CompanyOfSession | undefined> {
  if (found.state !== 'valid' || !found.session.externallyAuthenticated) return undefined;
  const { browserId, userId } = found.session;
  const session = await findExternalSession(database, browserId, userId);
  const connection = session && (await findConnection(database, keys, session.connectionId));
  return session && connection && { ...session, connection, browserId, userId };
}

/**
 * Builds the URL that continues the sign-out at the provider; undefined if the connection is not configured for
 * sign-outs at the provider.
 */
export function buildSignOutAddress(
  services: Pick<SignInServices, 'config' | 'clock' | 'keys' | 'random'>,
  company: CompanyOfSession | undefined,
  onwards: string | undefined,
): string | undefined {
  if (company === undefined || !signsOutThere(company.connection)) return undefined;
  const { connection, browserId, userId } = company;
  const ticket = sealState(services, contexts.outbound, {
    browserId,
    userId,
    connectionId: connection.id,
    onwards: onwards ?? null,
  });
  return `${services.config.publicUrl}${signOutPath}?${new URLSearchParams({ ticket }).toString()}`;
}

/**
 * Returns the address of the provider's logout endpoint for a ticket, or the final target if the provider cannot be
 * reached. Undefined for an invalid ticket. A user who still has, or has again, a session here is not signed out at the
 * provider.
 */
export async function findSignOutAddress(
  services: SignInServices,
  ticket: unknown,
  exchange: Exchange,
): Promise<string | undefined> {
  const signOut = unsealState(services, contexts.outbound, outbound, ticket);
  if (signOut === undefined) return undefined;
  const onwards = signOut.onwards ?? paths.signedOut;
  if ((await exchange.findSession()).state === 'valid') return signOut.onwards ?? paths.home;
  const connection = await findConnection(services.database, services.keys, signOut.connectionId);
  if (connection === undefined || !signsOutThere(connection)) return onwards;
  const idToken = await takeIdToken(services, signOut);
  const state = sealState(services, contexts.inbound, { onwards: signOut.onwards });
  try {
    const address = await services.companyProviders.openid.findSignOutAddress(connection, { idToken, state });
    return address?.href ?? onwards;
  } catch (error) {
    if (!(error instanceof ExternalFailure)) throw error;
    exchange.log.warn({ err: error, connection: connection.name }, 'cannot sign out at an identity provider');
    return onwards;
  }
}

/**
 * The address that the sign-out page follows to the final target. The page follows only http(s), so a native application
 * with an own scheme is reached through this service.
 */
export function toPageTarget(
  services: Pick<SignInServices, 'config' | 'clock' | 'keys' | 'random'>,
  onwards: string | undefined,
): string | undefined {
  if (onwards === undefined || /^https?:/i.test(onwards)) return onwards;
  const state = sealState(services, contexts.inbound, { onwards });
  return `${services.config.publicUrl}${signedOutPath}?${new URLSearchParams({ state }).toString()}`;
}

/** The final target after the sign-out at the provider; our logged-out page if the state is missing or invalid. */
export function findReturnAddress(services: Pick<SignInServices, 'clock' | 'keys'>, state: unknown): string {
  return unsealState(services, contexts.inbound, inbound, state)?.onwards ?? paths.signedOut;
}

function signsOutThere(connection: Connection): connection is Extract<Connection, { kind: 'openid' }> {
  return connection.kind === 'openid' && connection.settings.signOutThere;
}

function sealState(
  { clock, keys, random }: Pick<SignInServices, 'clock' | 'keys' | 'random'>,
  context: string,
  contents: Record<string, string | null>,
): string {
  const until = addSeconds(clock.now(), ticketSeconds).getTime();
  return seal(keys.clientSecrets, JSON.stringify({ until, ...contents }), context, random);
}

function unsealState<Contents extends { until: number }>(
  { clock, keys }: Pick<SignInServices, 'clock' | 'keys'>,
  context: string,
  contents: v.GenericSchema<unknown, Contents>,
  sealed: unknown,
): Contents | undefined {
  const text = typeof sealed === 'string' ? unseal(keys.clientSecrets, sealed, context) : undefined;
  if (text === undefined) return undefined;
  const state = v.parse(contents, JSON.parse(text));
  return state.until > clock.now().getTime() ? state : undefined;
}
