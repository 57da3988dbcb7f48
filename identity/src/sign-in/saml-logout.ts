import type { SamlConnection } from '../enterprise/connection.ts';
import { findConnectionByName } from '../enterprise/connections-store.ts';
import { parsePosted, parseRedirected } from '../enterprise/saml/form.ts';
import { createLibrary } from '../enterprise/saml/library.ts';
import { validatePostedLogout, validateRedirectedLogout } from '../enterprise/saml/logout-request.ts';
import type { LogoutRequest } from '../enterprise/saml/logout-request.ts';
import { SamlRefusal } from '../enterprise/saml/refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import { endSessionsThatProviderEnded } from './external-session-ends.ts';
import type { SignInServices } from './sign-in-services.ts';

/** A form's body, or an address' query as it came. */
export type ReceivedLogout = { connection: string } & ({ posted: string } | { redirected: string });

/**
 * An identity provider signs somebody out: the sessions that it began end here, with everything that applications hold through
 * them (saml-profiles, 4.4). Answers the address that the browser takes the answer to.
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
  // the answer to a sign-out that we began: it has ended here long ago
  if (request === undefined) return undefined;

  if (!(await endSessionsThatProviderEnded(services, connection, request, exchange)))
    throw new SamlRefusal('replayed');
  return await writeAnswer(services, connection, request, relayState);
}

async function readRequest(
  { providers, clock }: SignInServices,
  received: ReceivedLogout,
  connection: SamlConnection,
): Promise<{ request: LogoutRequest | undefined; relayState: string | undefined }> {
  const expected = { connection, provider: providers.saml.describe(connection) };
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

/** To the address that the operator has set, and to no other. It says the same whether there was a session or none. */
async function writeAnswer(
  { providers }: SignInServices,
  connection: SamlConnection,
  { id }: LogoutRequest,
  relayState: string | undefined,
): Promise<string | undefined> {
  if (connection.settings.logoutUrl === undefined) return undefined;
  const library = createLibrary(connection, providers.saml.describe(connection));
  const asked = { ID: id, issuer: '', nameID: '', nameIDFormat: '' };
  return await library.getLogoutResponseUrlAsync(asked, relayState ?? '', {}, true);
}
