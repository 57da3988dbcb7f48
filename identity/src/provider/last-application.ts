import type { Exchange } from '../http/exchange.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { accountClientId } from './account-client.ts';
import { findClient } from './clients-store.ts';
import type { Client } from './clients-store.ts';
import { consoleClientId } from './management-clients.ts';

/** The application that the session of this browser entered last. The pages of this service are no applications. */
export async function findLastApplication(
  { database, provider }: Pick<SignInServices, 'database' | 'provider'>,
  exchange: Exchange,
): Promise<Client | undefined> {
  const { applications } = await provider.findApplications(exchange);
  const last = applications.findLast(
    ({ clientId }) => clientId !== accountClientId && clientId !== consoleClientId,
  );
  return last && (await findClient(database, last.clientId));
}
