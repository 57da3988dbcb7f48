import * as v from 'valibot';
import type { Connection, SamlConnection } from '../company/connection.ts';
import { findConnection } from '../company/connections-store.ts';
import { isExternalSessionOver } from '../company/external-sessions.ts';
import { createLibrary } from '../company/saml/library.ts';
import { nameIdFormats, qualifierNames } from '../company/saml/vocabulary.ts';
import { seal, unseal } from '../lib/sealed.ts';
import type { CompanyOfSession } from './external-sign-out.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';

// A hidden frame of the logged-out page sends the logout request to the identity provider of the session (saml-profiles,
// 4.4.3). Our session has ended by then, and the visitor does not wait for the provider's response.

/**
 * In this order: the connection; the subject, qualifiers and session index at the provider; the browser and user of our
 * session.
 */
const logoutSubject = v.tuple([
  v.string(),
  v.string(),
  v.array(v.picklist(qualifierNames)),
  v.nullable(v.string()),
  v.string(),
  v.string(),
]);
const context = 'sign-out at a provider';

/**
 * The data for the logout request, encrypted because it is part of a URL and identifies a user. Undefined if the
 * connection has no logout URL.
 */
export function sealLogoutSubject(
  { keys, random }: Pick<SignInServices, 'keys' | 'random'>,
  company: CompanyOfSession | undefined,
): string | undefined {
  if (company === undefined || !hasLogoutUrl(company.connection)) return undefined;
  const { connection, subject, subjectQualifiers, sessionIndex, browserId, userId } = company;
  const text = JSON.stringify([
    connection.id,
    subject,
    subjectQualifiers,
    sessionIndex ?? null,
    browserId,
    userId,
  ]);
  return seal(keys.clientSecrets, text, context, random);
}

/**
 * The provider's URL with a signed logout request; undefined for invalid data, for a session that is still active, and
 * for a connection that no longer has a logout URL.
 */
export async function buildLogoutRequestAddress(
  services: Pick<SignInServices, 'database' | 'keys' | 'random' | 'companyProviders'>,
  sealed: string,
): Promise<string | undefined> {
  const text = unseal(services.keys.clientSecrets, sealed, context);
  if (text === undefined) return undefined;
  const [connectionId, nameID, qualifiers, sessionIndex, browserId, userId] = v.parse(
    logoutSubject,
    JSON.parse(text),
  );
  if (!(await isExternalSessionOver(services.database, { browserId, userId }))) return undefined;
  const connection = await findConnection(services.database, services.keys, connectionId);
  if (connection === undefined || !hasLogoutUrl(connection)) return undefined;
  const ours = services.companyProviders.saml.describe(connection);
  const library = createLibrary(connection, ours, {
    messageId: `_${services.random.token(16)}`,
  });
  const user = {
    issuer: connection.settings.issuer,
    nameID,
    ...(qualifiers.includes('NameQualifier') && { nameQualifier: connection.settings.issuer }),
    ...(qualifiers.includes('SPNameQualifier') && { spNameQualifier: ours.entityId }),
    nameIDFormat: connection.settings.nameIdFormat ?? nameIdFormats.unspecified,
    ...(sessionIndex !== null && { sessionIndex }),
  };
  return await library.getLogoutUrlAsync(user, '', {});
}

function hasLogoutUrl(connection: Connection): connection is SamlConnection {
  return connection.kind === 'saml' && connection.settings.logoutUrl !== undefined;
}
