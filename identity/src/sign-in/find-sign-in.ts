import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Exchange } from '../http/exchange.ts';
import { activeUntil, worthExtendingBefore } from '../lib/sign-in-lives.ts';
import type { Services } from '../services.ts';
import { extendingSignIn, selectSignIn, toSignIn } from './sign-ins-store.ts';
import type { SignIn, SignInRow } from './sign-ins-store.ts';
import type { FirstRows, Queries } from '../store/read-together.ts';
import { fingerprint } from '../provider/fingerprint.ts';

/** `read`: the rows of `also`; undefined if the browser has no session. */
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
    queries: (browserId) => ({ sign_in: selectSignIn(database, { uid, browserId, now }), ...also }),
    changes: extend ? extending(uid, now) : [],
  });
  const row = read?.sign_in as SignInRow | undefined;
  return { signIn: row && toSignIn(row), read };
}

/** Resets the expiry of a sign-in and of the provider's interaction after a call from its page. */
export async function extendSignIn(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  { uid, expiresAt }: SignIn,
): Promise<void> {
  const now = clock.now();
  if (expiresAt > worthExtendingBefore(now)) return;
  const parts = [sql`sign_in as (select ${uid}::text as uid)`, ...extending(uid, now)];
  await sql`with ${sql.join(parts)} select`.execute(database);
}

/** The parts of `extendSignIn` after a part `sign_in`, which has found the sign-in. */
function extending(uid: string, now: Date): RawBuilder<unknown>[] {
  const end = activeUntil(now);
  return [
    sql`extended as (${extendingSignIn(end, worthExtendingBefore(now))})`,
    sql`extended_interaction as (update openid_records set expires_at = ${end} from extended
      where model = 'Interaction' and id = ${fingerprint(uid)} and openid_records.expires_at < ${end})`,
  ];
}
