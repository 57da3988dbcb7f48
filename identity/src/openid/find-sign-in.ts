import type { Exchange } from '../http/exchange.ts';
import type { Services } from '../services.ts';
import { findSignIn, selectSignIn, toSignIn } from '../sign-ins/sign-ins-store.ts';
import type { SignIn, SignInRow } from '../sign-ins/sign-ins-store.ts';
import type { FirstRows, Queries } from '../store/read-together.ts';
import { extendSignIn, extendingWhenFound } from './extend-sign-in.ts';

/** The rows of `also` are undefined if the session was looked up before, so that nothing could be read with it. */
export type FoundSignIn<Read extends Queries> = {
  signIn: SignIn | undefined;
  read: FirstRows<Read> | undefined;
};

/**
 * Finds the live sign-in with this id in this browser, in one statement with the session of the browser. `also`: what the
 * request reads in the same statement. `extend` resets the expiry of the sign-in.
 */
export async function findSignInWith<Read extends Queries>(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  uid: string,
  exchange: Exchange,
  { extend, also }: { extend: boolean; also: Read },
): Promise<FoundSignIn<Read>> {
  const now = clock.now();
  const read = await exchange.findSessionWith({
    queries: (browserId) => ({ sign_in: selectSignIn(database, uid, browserId, now), ...also }),
    changes: (after) => (extend ? extendingWhenFound(uid, now, after) : []),
  });
  if (read !== undefined) {
    const row = read.sign_in as SignInRow | undefined;
    return { signIn: row && toSignIn(row), read };
  }

  const browserId = await exchange.findBrowserId();
  const signIn = browserId === undefined ? undefined : await findSignIn(database, uid, browserId, now);
  if (extend && signIn !== undefined) await extendSignIn({ database, clock }, signIn);
  return { signIn, read: undefined };
}
