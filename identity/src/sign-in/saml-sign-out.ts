import * as v from 'valibot';
import type { SamlConnection } from '../enterprise/connection.ts';
import { findConnection } from '../enterprise/connections-store.ts';
import { findExternalSession } from '../enterprise/external-sessions.ts';
import { createLibrary } from '../enterprise/saml/library.ts';
import { nameIdFormats } from '../enterprise/saml/vocabulary.ts';
import { seal, unseal } from '../lib/sealed.ts';
import type { FoundSession } from '../sessions/session.ts';
import type { SignInServices } from './sign-in-services.ts';

// Our own sign-out tells the identity provider that the session came from, in the hidden frame of the logged-out page: ours has ended
// by then, and whether the provider answers, and when, holds nobody up (saml-profiles, 4.4.3).

const told = v.tuple([v.string(), v.string(), v.nullable(v.string())]);
const context = 'sign-out at a provider';

/** Whom to tell of the end of a session, sealed, because it names a person and stands in an address; undefined when nobody wants to know. */
export async function findToldProvider(
  services: Pick<SignInServices, 'database' | 'keys' | 'random'>,
  found: FoundSession,
): Promise<string | undefined> {
  if (found.state !== 'valid' || !found.session.externallyAuthenticated) return undefined;
  const { browserId, personId } = found.session;
  const session = await findExternalSession(services.database, browserId, personId);
  if (session === undefined || (await findTold(services, session.connectionId)) === undefined)
    return undefined;
  const { connectionId, subject, sessionIndex } = session;
  const text = JSON.stringify([connectionId, subject, sessionIndex ?? null]);
  return seal(services.keys.clientSecrets, text, context, services.random);
}

/** The address with the sign-out for the provider; undefined for what we have not sealed, and when it does not want to know any more. */
export async function writeLogoutRequest(
  services: Pick<SignInServices, 'database' | 'keys' | 'random' | 'providers'>,
  sealed: string,
): Promise<string | undefined> {
  const text = unseal(services.keys.clientSecrets, sealed, context);
  if (text === undefined) return undefined;
  const [connectionId, nameID, sessionIndex] = v.parse(told, JSON.parse(text));
  const connection = await findTold(services, connectionId);
  if (connection === undefined) return undefined;
  const library = createLibrary(connection, services.providers.saml.describe(connection), {
    messageId: `_${services.random.token(16)}`,
  });
  const person = {
    issuer: connection.settings.issuer,
    nameID,
    nameIDFormat: connection.settings.nameIdFormat ?? nameIdFormats.unspecified,
    ...(sessionIndex !== null && { sessionIndex }),
  };
  return await library.getLogoutUrlAsync(person, '', {});
}

async function findTold(
  { database, keys }: Pick<SignInServices, 'database' | 'keys'>,
  connectionId: string,
): Promise<SamlConnection | undefined> {
  const connection = await findConnection(database, keys, connectionId);
  return connection?.kind === 'saml' && connection.settings.logoutUrl !== undefined ? connection : undefined;
}
