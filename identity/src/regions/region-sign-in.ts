import { sql } from 'kysely';
import type { Exchange } from '../http/exchange.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import { findClient } from '../provider/clients-store.ts';
import { worthExtendingBefore } from '../lib/sign-in-lives.ts';
import { parseReturnUrl } from '../provider/return-url.ts';
import type { ReturnUrl } from '../provider/return-url.ts';
import { extendingSignIn, findSignInOfPage, openingSignIn, toSignIn } from '../sign-in/sign-ins-store.ts';
import type { SignIn } from '../sign-in/sign-ins-store.ts';
import type { Services } from '../services.ts';
import { createPageCookies } from '../http/cookies.ts';

type Needed = Pick<Services, 'config' | 'database' | 'clock' | 'keys' | 'regions'>;

/**
 * Finds or creates the sign-in of a page that another region served: the visitor entered a site of this region, so the
 * page sends its calls here (wire contract, "Headers, on every call"). The first call creates the sign-in. Its key is
 * the browser and the id of the sign-in in the other region. Undefined for any other request. `extend` resets the expiry
 * of a sign-in that exists.
 */
export async function findSignInOfRegion(
  services: Needed,
  returnUrl: string | undefined,
  exchange: Exchange,
  options: { extend: boolean },
): Promise<SignIn | undefined> {
  const { regions, config } = services;
  if (regions === undefined) return undefined;
  const { origin } = exchange;
  const region = regions.others.find((url) => url === origin);
  const address = parseReturnUrl(returnUrl, region ?? config.publicUrl);
  if (address?.uid === undefined) return undefined;
  const { uid } = address;
  const known = await findExisting(services, uid, region === undefined ? regions.others : [region], exchange);
  if (known !== undefined && options.extend) await extend(services, known);
  if (known !== undefined || region === undefined) return known;
  return await begin(services, { ...address, uid }, region, exchange);
}

async function extend({ database, clock }: Needed, { uid, expiresAt }: SignIn): Promise<void> {
  const now = clock.now();
  if (expiresAt > worthExtendingBefore(now)) return;
  const parts = [sql`sign_in as (select ${uid}::text as uid)`, ...extendingSignIn(uid, now)];
  await sql`with ${sql.join(parts)} select`.execute(database);
}

/**
 * Finds the sign-in that an earlier call of this browser created, also for a navigation, which has no `Origin` header.
 */
async function findExisting(
  { database, clock }: Needed,
  regionUid: string,
  among: readonly string[],
  exchange: Exchange,
): Promise<SignIn | undefined> {
  const browserId = await exchange.findBrowserId();
  if (browserId === undefined) return undefined;
  return await findSignInOfPage(database, browserId, { uid: regionUid, regions: among }, clock.now());
}

/** Undefined if the application has no `initiate_login_uri`, because it could not use a sign-in of this region. */
async function begin(
  { config, database, clock, keys }: Needed,
  { uid, parameters }: ReturnUrl & { uid: string },
  region: string,
  exchange: Exchange,
): Promise<SignIn | undefined> {
  const clientId = parameters.get('client_id');
  const client = clientId === null ? undefined : await findClient(database, clientId);
  if (client?.initiateLoginUri === undefined) return undefined;
  const rows = await exchange.requireAnonymousAllowance();
  const { browserId } = await exchange.ensureSession();
  // Later pages of this region use the language of the other region's page.
  createPageCookies(config.publicUrl).writeLocale(exchange, exchange.language);
  const signIn = {
    uid: keyedHash(keys.oneTimeSecrets, `sign-in of a region ${region} ${uid} ${browserId}`),
    browserId,
    clientId: client.id,
    reasons: ['another_region', ...(isFreshProofRequested(parameters) ? ['login_prompt'] : [])],
    parameters: Object.fromEntries(parameters),
    region: { url: region, uid },
  };
  return toSignIn(await openingSignIn(database, rows, signIn, clock.now()).executeTakeFirstOrThrow());
}

/** Whether the application requires fresh authentication; otherwise an existing session at the provider is enough. */
function isFreshProofRequested(parameters: URLSearchParams): boolean {
  const prompts = (parameters.get('prompt') ?? '').split(' ');
  return prompts.includes('login') || prompts.includes('elevate') || parameters.has('max_age');
}
