import type { Exchange } from '../http/exchange.ts';
import { languageOf } from '../http/language.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import { activeUntil } from '../lib/sign-in-lives.ts';
import { findClient } from '../openid/clients-store.ts';
import { parseReturnUrl } from '../openid/return-url.ts';
import type { ReturnUrl } from '../openid/return-url.ts';
import { findSignInOfPage, openSignIn } from '../sign-ins/sign-ins-store.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';
import type { Services } from '../services.ts';
import { createPageCookies } from './page-cookies.ts';

type Needed = Pick<Services, 'config' | 'database' | 'clock' | 'keys' | 'regions'>;

/**
 * A sign-in whose page is another region's: the visitor has named a site that lives here, and that page makes its calls here (wire
 * contract, "Headers, on every call"). It is a sign-in of this region from the beginning, known by this browser and by what the other
 * region calls it; it begins with the first call. Undefined for everybody else.
 */
export async function findSignInOfRegion(
  services: Needed,
  returnUrl: string | undefined,
  exchange: Exchange,
): Promise<SignIn | undefined> {
  const { regions, config } = services;
  if (regions === undefined) return undefined;
  const { origin } = exchange.raw.request.headers;
  const region = regions.others.find((url) => url === origin);
  const address = parseReturnUrl(returnUrl, region ?? config.publicUrl);
  if (address?.uid === undefined) return undefined;
  const { uid } = address;
  const known = await findKnown(services, uid, region === undefined ? regions.others : [region], exchange);
  if (known !== undefined || region === undefined) return known;
  return await begin(services, { ...address, uid }, region, exchange);
}

/** Also for a navigation, which does not say where it comes from: whoever came before in this browser did. */
async function findKnown(
  { database, clock }: Needed,
  regionUid: string,
  among: readonly string[],
  exchange: Exchange,
): Promise<SignIn | undefined> {
  const browserId = await exchange.findBrowserId();
  if (browserId === undefined) return undefined;
  return await findSignInOfPage(database, browserId, { uid: regionUid, regions: among }, clock.now());
}

/** An application that cannot be asked to begin at this region has no use for what would be proved here. */
async function begin(
  { config, database, clock, keys }: Needed,
  { uid, parameters }: ReturnUrl & { uid: string },
  region: string,
  exchange: Exchange,
): Promise<SignIn | undefined> {
  const clientId = parameters.get('client_id');
  const client = clientId === null ? undefined : await findClient(database, clientId);
  if (client?.initiateLoginUri === undefined) return undefined;
  const { browserId } = await exchange.ensureSession();
  // a page of ours that they come to goes on in the language of the one that they come from
  createPageCookies(config.publicUrl).writeLocale(exchange, languageOf(exchange.raw.request.headers));
  const now = clock.now();
  const signIn = {
    uid: keyedHash(keys.oneTimeSecrets, `sign-in of a region ${region} ${uid} ${browserId}`),
    browserId,
    clientId: client.id,
    reasons: ['another_region', ...(isProofAskedFor(parameters) ? ['login_prompt'] : [])],
    parameters: Object.fromEntries(parameters),
    region: { url: region, uid },
    expiresAt: activeUntil(now),
  };
  return await openSignIn(database, signIn, now);
}

/** A person who is signed in at their company is not asked there again, unless the application wants them to be. */
function isProofAskedFor(parameters: URLSearchParams): boolean {
  const prompts = (parameters.get('prompt') ?? '').split(' ');
  return prompts.includes('login') || prompts.includes('elevate') || parameters.has('max_age');
}
