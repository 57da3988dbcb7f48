import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { activeUntil, findLaterEnd, worthExtendingBefore } from '../lib/sign-in-lives.ts';
import type { Services } from '../services.ts';
import { fingerprint } from './fingerprint.ts';
import { extendingFoundSignIn, extendingSignIn } from '../sign-ins/sign-ins-store.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';

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

/** The same as parts of the statement that reads the sign-in as `sign_in`. */
export function extendingWhenFound(
  uid: string,
  now: Date,
  after: RawBuilder<boolean>,
): RawBuilder<unknown>[] {
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
