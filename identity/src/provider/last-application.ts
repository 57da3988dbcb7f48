import type { Exchange } from '../http/exchange.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { accountClientId } from './account-client.ts';
import { findClient } from './clients-store.ts';
import type { Client } from './clients-store.ts';
import { consoleClientId } from './management-clients.ts';

/** Whether the client is a page of this service, and no application. */
export const isPageClient = (clientId: string): boolean =>
  clientId === accountClientId || clientId === consoleClientId;

/** The application that the session of this browser entered last. */
export async function findLastApplication(
  { database, provider }: Pick<SignInServices, 'database' | 'provider'>,
  exchange: Exchange,
): Promise<Client | undefined> {
  const { applications } = await provider.findApplications(exchange);
  const last = applications.findLast(({ clientId }) => !isPageClient(clientId));
  return last && (await findClient(database, last.clientId));
}
