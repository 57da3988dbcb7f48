import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Exchange } from '../http/exchange.ts';
import { activeUntil, findLaterEnd, worthExtendingBefore } from '../lib/sign-in-lives.ts';
import type { Services } from '../services.ts';
import {
  findSignIn,
  selectSignIn,
  toSignIn,
  extendingFoundSignIn,
  extendingSignIn,
} from '../sign-ins/sign-ins-store.ts';
import type { SignIn, SignInRow } from '../sign-ins/sign-ins-store.ts';
import type { FirstRows, Queries } from '../store/read-together.ts';
import { fingerprint } from './fingerprint.ts';

/** `read`: the rows of `also`; undefined if the session was looked up before, because `also` is then not executed. */
export type FoundSignIn<Read extends Queries> = {
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

/** Resets the expiry of a sign-in and of the provider's interaction after a call from its page, in one statement. */
export async function extendSignIn(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  signIn: SignIn,
): Promise<void> {
  const end = findLaterEnd(signIn.expiresAt, clock.now());
  if (end === undefined || signIn.finishedAt !== undefined) return;
  await sql`
    with extended as (${extendingSignIn(signIn, end)})
    ${extendingInteraction(signIn.uid, end)}`.execute(database);
}

/** Does the same as `extendSignIn`, as parts of the statement that reads the sign-in as `sign_in`. */
function extendingWhenFound(uid: string, now: Date, after: RawBuilder<boolean>): RawBuilder<unknown>[] {
  const end = activeUntil(now);
  return [
    sql`extended as (${extendingFoundSignIn(end, worthExtendingBefore(now), after)})`,
    sql`extended_interaction as (${extendingInteraction(uid, end)})`,
  ];
}

function extendingInteraction(uid: string, end: Date): RawBuilder<unknown> {
  return sql`update openid_records set expires_at = ${end} from extended
    where model = 'Interaction' and id = ${fingerprint(uid)} and openid_records.expires_at < ${end}`;
}
