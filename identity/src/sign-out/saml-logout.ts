import type { SamlConnection } from '../company/connection.ts';
import { findConnectionByName } from '../company/connections-store.ts';
import { parsePosted, parseRedirected } from '../company/saml/form.ts';
import { createLibrary } from '../company/saml/library.ts';
import { validatePostedLogout, validateRedirectedLogout } from '../company/saml/logout-request.ts';
import type { LogoutRequest } from '../company/saml/logout-request.ts';
import { SamlRefusal } from '../company/saml/refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import { endSessionsThatCompanyEnded } from './external-sign-out-routes.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';

/** The unparsed form body, or the unparsed query string. */
export type ReceivedLogout = { connection: string } & ({ posted: string } | { redirected: string });

/**
 * Handles a logout request of an identity provider: ends the sessions that the request names, with their grants
 * (saml-profiles, 4.4). Returns the redirect with the response to the provider, if the provider accepts one.
 * @throws SamlRefusal
 */
export async function receiveSamlLogout(
  services: SignInServices,
  received: ReceivedLogout,
  exchange: Exchange,
): Promise<string | undefined> {
  const { database, keys } = services;
  const connection = await findConnectionByName(database, keys, received.connection);
  if (connection?.kind !== 'saml') throw new SamlRefusal('connection_gone');
  const { request, relayState } = await readRequest(services, received, connection);
  // The message is the response to our own logout request. The session here has already ended.
  if (request === undefined) return undefined;

  if (!(await endSessionsThatCompanyEnded(services, connection, request, exchange)))
    throw new SamlRefusal('replayed');
  return await buildResponseAddress(services, connection, request, relayState);
}

async function readRequest(
  { companyProviders, clock }: SignInServices,
  received: ReceivedLogout,
  connection: SamlConnection,
): Promise<{ request: LogoutRequest | undefined; relayState: string | undefined }> {
  const expected = { connection, serviceProvider: companyProviders.saml.describe(connection) };
  if ('posted' in received) {
    const form = parsePosted(received.posted);
    const request =
      form.SAMLRequest === undefined
        ? undefined
        : await validatePostedLogout(form.SAMLRequest, expected, clock.now());
    return { request, relayState: form.RelayState };
  }
  const query = parseRedirected(received.redirected);
  const request =
    query.SAMLRequest === undefined
      ? undefined
      : await validateRedirectedLogout(query, expected, clock.now());
  return { request, relayState: query.RelayState?.value };
}

/** Uses only the logout URL that the operator has configured, and does not reveal whether there was a session. */
async function buildResponseAddress(
  { companyProviders }: SignInServices,
  connection: SamlConnection,
  { id }: LogoutRequest,
  relayState: string | undefined,
): Promise<string | undefined> {
  if (connection.settings.logoutUrl === undefined) return undefined;
  const library = createLibrary(connection, companyProviders.saml.describe(connection));
  const request = { ID: id, issuer: '', nameID: '', nameIDFormat: '' };
  return await library.getLogoutResponseUrlAsync(request, relayState ?? '', {}, true);
}
