import * as v from 'valibot';
import type { Connection, SamlConnection } from '../enterprise/connection.ts';
import { findConnection } from '../enterprise/connections-store.ts';
import { createLibrary } from '../enterprise/saml/library.ts';
import { nameIdFormats } from '../enterprise/saml/vocabulary.ts';
import { seal, unseal } from '../lib/sealed.ts';
import type { ProviderOfSession } from './external-sign-out.ts';
import type { SignInServices } from './sign-in-services.ts';

// Our own sign-out tells the identity provider that the session came from, in the hidden frame of the logged-out page: ours has ended
// by then, and whether the provider answers, and when, holds nobody up (saml-profiles, 4.4.3).

const told = v.tuple([v.string(), v.string(), v.nullable(v.string())]);
const context = 'sign-out at a provider';

/** Whom to tell of the end of a session, sealed, because it names a person and stands in an address; undefined when nobody wants to know. */
export function sealToldProvider(
  { keys, random }: Pick<SignInServices, 'keys' | 'random'>,
  provider: ProviderOfSession | undefined,
): string | undefined {
  if (provider === undefined || !wantsToBeTold(provider.connection)) return undefined;
  const { connection, subject, sessionIndex } = provider;
  const text = JSON.stringify([connection.id, subject, sessionIndex ?? null]);
  return seal(keys.clientSecrets, text, context, random);
}

/** The address with the sign-out for the provider; undefined for what we have not sealed, and when it does not want to know any more. */
export async function writeLogoutRequest(
  services: Pick<SignInServices, 'database' | 'keys' | 'random' | 'providers'>,
  sealed: string,
): Promise<string | undefined> {
  const text = unseal(services.keys.clientSecrets, sealed, context);
  if (text === undefined) return undefined;
  const [connectionId, nameID, sessionIndex] = v.parse(told, JSON.parse(text));
  const connection = await findConnection(services.database, services.keys, connectionId);
  if (connection === undefined || !wantsToBeTold(connection)) return undefined;
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

function wantsToBeTold(connection: Connection): connection is SamlConnection {
  return connection.kind === 'saml' && connection.settings.logoutUrl !== undefined;
}
