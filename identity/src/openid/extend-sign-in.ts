import { sql } from 'kysely';
import { findLaterEnd } from '../lib/sign-in-lives.ts';
import type { Services } from '../services.ts';
import { fingerprint } from './fingerprint.ts';
import { extendingSignIn } from '../sign-ins/sign-ins-store.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';

/** Gives a sign-in its whole time again after a call of its page, and the provider's interaction with it: both or neither. */
export async function extendSignIn(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  signIn: SignIn,
): Promise<void> {
  const end = findLaterEnd(signIn.expiresAt, clock.now());
  if (end === undefined || signIn.finishedAt !== undefined) return;
  await sql`
    with extended as (${extendingSignIn(signIn, end)})
    update openid_records set expires_at = ${end} from extended
    where model = 'Interaction' and id = ${fingerprint(signIn.uid)} and openid_records.expires_at < ${end}`.execute(
    database,
  );
}
