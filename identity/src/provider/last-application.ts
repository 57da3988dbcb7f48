import type { Exchange } from '../http/exchange.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { findClient } from './clients-store.ts';
import type { Client } from './clients-store.ts';
import { isPageClient } from './management-clients.ts';

/** The application that the session of this browser entered last. The pages of this service are not applications. */
export async function findLastApplication(
  { database, provider }: Pick<SignInServices, 'database' | 'provider'>,
  exchange: Exchange,
): Promise<Client | undefined> {
  const { applications } = await provider.findApplications(exchange);
  const last = applications.findLast(({ clientId }) => !isPageClient(clientId));
  return last && (await findClient(database, last.clientId));
}
