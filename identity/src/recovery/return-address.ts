import type { RecoveryCallInput } from '@anteroom/contract/recovery';
import { pageAddress } from '../http/page-addresses.ts';
import { findClient, findClientMetadata } from '../provider/clients-store.ts';
import type { Client } from '../provider/clients-store.ts';
import { buildReturnUrl } from '../provider/return-url.ts';
import { findLatestSignIn } from '../sign-in/sign-ins-store.ts';
import type { Services } from '../services.ts';
import type { Database } from '../store/schema.ts';

/** The application from which the visitor came, according to the request; not validated. */
export type Referer = RecoveryCallInput<'getRecoveryContext'>['query'];

/** The application, if it is registered. If the request contains a redirect URI, it must be registered too. */
export async function findRefererClient(
  database: Database,
  { refererClientId, refererRedirectUri }: Referer,
): Promise<Client | undefined> {
  if (refererClientId === undefined) return undefined;
  const isRegistered =
    refererRedirectUri === undefined ||
    (await findClientMetadata(database, refererClientId))?.redirect_uris?.includes(refererRedirectUri) ===
      true;
  return isRegistered ? await findClient(database, refererClientId) : undefined;
}

/**
 * The URL at which to sign in again: this browser's pending sign-in at the application, otherwise the application's
 * start page, which starts a new sign-in. A sign-in of another browser is not used, because the application would
 * reject its response in this browser.
 */
export async function findSignInUrl(
  { config, database, clock }: Pick<Services, 'config' | 'database' | 'clock'>,
  client: Client | undefined,
  browserId: string,
): Promise<string | undefined> {
  if (client === undefined) return undefined;
  const signIn = await findLatestSignIn(database, browserId, clock.now(), client.id);
  if (signIn === undefined) return client.homeUri;
  const ReturnUrl = buildReturnUrl(signIn.uid, signIn.parameters);
  return pageAddress(config.publicUrl, 'signIn', { ReturnUrl });
}
