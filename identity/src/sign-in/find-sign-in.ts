import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseReturnUrl } from '../provider/return-url.ts';
import { findSignInOfRegion } from '../regions/region-sign-in.ts';
import type { Services } from '../services.ts';
import { extendingSignIn, selectSignIn, toSignIn } from './sign-ins-store.ts';
import type { SignIn, SignInRow } from './sign-ins-store.ts';
import type { FirstRows, Queries } from '../store/read-together.ts';

type Needed = Pick<Services, 'config' | 'database' | 'clock' | 'keys' | 'regions'>;

/** `read`: the rows of `also`; undefined if the browser has no session. */
type FoundSignIn<Read extends Queries> = {
  signIn: SignIn | undefined;
  read: FirstRows<Read> | undefined;
};

/**
 * Finds the active sign-in with this id in this browser. The same statement looks up the session of the browser and
 * executes the queries `also`. `extend` resets the expiry of the sign-in.
 */
export async function findSignInWith<Read extends Queries>(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  uid: string,
  exchange: Exchange,
  { extend, also }: { extend: boolean; also: Read },
): Promise<FoundSignIn<Read>> {
  const now = clock.now();
  const read = await exchange.findSessionWith({
    queries: (browserId) => ({ sign_in: selectSignIn(database, { uid, browserId, now }), ...also }),
    changes: extend ? extendingSignIn(uid, now) : [],
  });
  const row = read?.sign_in as SignInRow | undefined;
  return { signIn: row && toSignIn(row), read };
}

/**
 * The active sign-in of a return address in this browser, or the sign-in of another region's page. Extends its
 * lifetime.
 * @throws `not_found` if the sign-in is unknown, belongs to another browser, or has ended
 */
export async function requireSignIn(
  services: Needed,
  returnUrl: string | undefined,
  exchange: Exchange,
): Promise<SignIn> {
  return (await requireSignInWith(services, returnUrl, exchange, {})).signIn;
}

/** Like `requireSignIn`, but also executes the queries `also` in the same statement. */
export async function requireSignInWith<Read extends Queries>(
  services: Needed,
  returnUrl: string | undefined,
  exchange: Exchange,
  also: Read,
): Promise<{ signIn: SignIn; read: FirstRows<Read> | undefined }> {
  const { signIn, read } = await findNamed(services, returnUrl, exchange, { extend: true, also });
  if (signIn === undefined) throw noSuchSignIn();
  return { signIn, read };
}

export function noSuchSignIn(): ContractError {
  return new ContractError('not_found', { detail: 'no such sign-in in this browser' });
}

/** Like `requireSignIn`, but undefined if there is none. Without `extend`, its lifetime stays the same. */
export async function findActiveSignIn(
  services: Needed,
  returnUrl: string | undefined,
  exchange: Exchange,
  { extend = true } = {},
): Promise<SignIn | undefined> {
  return (await findNamed(services, returnUrl, exchange, { extend, also: {} })).signIn;
}

async function findNamed<Read extends Queries>(
  services: Needed,
  returnUrl: string | undefined,
  exchange: Exchange,
  options: { extend: boolean; also: Read },
): Promise<FoundSignIn<Read>> {
  const uid = parseReturnUrl(returnUrl, services.config.publicUrl)?.uid;
  const own = uid === undefined ? undefined : await findSignInWith(services, uid, exchange, options);
  if (own?.signIn !== undefined) return own;
  const signIn = await findSignInOfRegion(services, returnUrl, exchange, options);
  return { signIn, read: own?.read };
}
