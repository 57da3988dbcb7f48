import type { RecoveryCallInput } from '@anteroom/contract/recovery';
import { pageAddress } from '../http/page-addresses.ts';
import { findClient, findClientMetadata } from '../openid/clients-store.ts';
import type { Client } from '../openid/clients-store.ts';
import { buildReturnUrl } from '../openid/return-url.ts';
import { findLatestSignIn } from '../sign-ins/sign-ins-store.ts';
import type { Services } from '../services.ts';
import type { Database } from '../store/schema.ts';

/** Which application somebody says they came from; nothing of it is believed before it has been looked up. */
export type Referer = RecoveryCallInput<'getRecoveryContext'>['query'];

/** The application that says so rightly: one that is registered, with that redirect address if one is named. */
export async function findRefererClient(
  database: Database,
  { refererClientId, refererRedirectUri }: Referer,
): Promise<Client | undefined> {
  if (refererClientId === undefined) return undefined;
  const isItsOwn =
    refererRedirectUri === undefined ||
    (await findClientMetadata(database, refererClientId))?.redirect_uris?.includes(refererRedirectUri) ===
      true;
  return isItsOwn ? await findClient(database, refererClientId) : undefined;
}

/**
 * Where to sign in again: the sign-in at that application that this browser has under way, else the application's own start
 * page, which begins a new one. A sign-in of another browser is of no use: its application would not know the answer.
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
