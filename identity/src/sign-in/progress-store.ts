import { sql } from 'kysely';
import type { SignIn } from '../openid/sign-ins-store.ts';
import { signInsUnderWay, toSignIn } from '../openid/sign-ins-store.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';

/** What a step adds to a sign-in under way. */
export type Progress = Partial<
  Pick<
    SignIn,
    | 'personId'
    | 'siteId'
    | 'passwordAt'
    | 'externalAt'
    | 'connectionId'
    | 'secondFactorAt'
    | 'passwordChangedAt'
    | 'siteChosenAt'
  >
>;

/** Notes what was passed; answers the sign-in as it stands then. */
export async function noteProgress(
  database: Database | DatabaseTransaction,
  signIn: SignIn,
  progress: Progress,
): Promise<SignIn> {
  const row = await database
    .updateTable('sign_ins')
    .set({
      person_id: progress.personId,
      site_id: progress.siteId,
      password_at: progress.passwordAt,
      external_at: progress.externalAt,
      connection_id: progress.connectionId,
      second_factor_at: progress.secondFactorAt,
      password_changed_at: progress.passwordChangedAt,
      site_chosen_at: progress.siteChosenAt,
    })
    .where('uid', '=', signIn.uid)
    .where('browser_id', '=', signIn.browserId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toSignIn(row);
}

/** What the old password has proved elsewhere is nothing any more: other sign-ins of the person begin again. */
export async function forgetOtherSignIns(
  transaction: DatabaseTransaction,
  personId: string,
  exceptUid: string,
): Promise<void> {
  await transaction
    .updateTable('sign_ins')
    .set({ password_at: null, second_factor_at: null })
    .where('person_id', '=', personId)
    .where('uid', '!=', exceptUid)
    .where('finished_at', 'is', null)
    .execute();
}

/** The sign-in under way that the browser advanced last, for the one call that names none. */
export async function findLatestSignIn(
  database: Database,
  browserId: string,
  now: Date,
): Promise<SignIn | undefined> {
  const row = await signInsUnderWay(database, browserId, now)
    // greatest() passes over what has not happened yet
    .orderBy(
      sql`greatest(created_at, password_at, external_at, second_factor_at, password_changed_at, site_chosen_at)`,
      'desc',
    )
    .limit(1)
    .executeTakeFirst();
  return row && toSignIn(row);
}

/** Keeps the address that leads to a provider with the sign-in that it was looked up in. */
export async function keepHint(
  database: Database,
  { uid, browserId }: Pick<SignIn, 'uid' | 'browserId'>,
  hint: string,
): Promise<void> {
  await database
    .updateTable('sign_ins')
    .set({ external_hint: hint.replaceAll('\0', '') })
    .where('uid', '=', uid)
    .where('browser_id', '=', browserId)
    .where('finished_at', 'is', null)
    .execute();
}
