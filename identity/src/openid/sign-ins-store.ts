import type { PromptMethod } from '@anteroom/contract';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { deleteInBatches } from '../store/delete-in-batches.ts';
import type { Database, DatabaseTransaction, SignInsTable } from '../store/schema.ts';

/** One sign-in under way: what the application asked for, and what the person has passed so far. */
export type SignIn = {
  /** The provider's interaction. It stands in the address of the page and proves nothing by itself. */
  uid: string;
  /** The browser that started it; no other one may go on with it. */
  browserId: string;
  clientId: string;
  promptMethod: PromptMethod | undefined;
  /** Why the provider asked, such as `no_session`, `login_prompt` or `max_age`. */
  reasons: string[];
  /** The original authorize parameters. */
  parameters: Record<string, string>;
  personId: string | undefined;
  siteId: string | undefined;
  passwordAt: Date | undefined;
  secondFactorAt: Date | undefined;
  passwordChangedAt: Date | undefined;
  siteChosenAt: Date | undefined;
  /** When an outside provider proved the person, and over which connection. */
  externalAt: Date | undefined;
  connectionId: string | undefined;
  /** An e-mail address that was looked up and whose domain leads to a provider. */
  externalHint: string | undefined;
  finishedAt: Date | undefined;
  expiresAt: Date;
  /** Of a sign-in whose page is another region's: its address, and what it calls the sign-in. */
  region?: { url: string; uid: string } | undefined;
};

type NewSignIn = Pick<
  SignIn,
  | 'uid'
  | 'browserId'
  | 'clientId'
  | 'promptMethod'
  | 'reasons'
  | 'parameters'
  | 'personId'
  | 'finishedAt'
  | 'expiresAt'
>;

/** Notes that a browser has begun a sign-in. */
export async function openSignIn(database: Database, signIn: NewSignIn, now: Date): Promise<void> {
  await database
    .insertInto('sign_ins')
    .values({
      uid: signIn.uid,
      browser_id: signIn.browserId,
      client_id: signIn.clientId,
      prompt_method: signIn.promptMethod,
      reasons: JSON.stringify(signIn.reasons),
      parameters: JSON.stringify(signIn.parameters),
      person_id: signIn.personId,
      finished_at: signIn.finishedAt,
      created_at: now,
      expires_at: signIn.expiresAt,
    })
    .execute();
}

/** The live sign-in of that name in that browser: the name alone, or from another browser, finds nothing. */
export async function findSignIn(
  database: Database | DatabaseTransaction,
  uid: string,
  browserId: string,
  now: Date,
): Promise<SignIn | undefined> {
  const row = await database
    .selectFrom('sign_ins')
    .selectAll()
    .where('uid', '=', uid)
    .where('browser_id', '=', browserId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row && toSignIn(row);
}

/** The sign-ins that a browser has begun and not finished: choose among them, and read the row with `toSignIn`. */
export function signInsUnderWay(database: Database, browserId: string, now: Date) {
  return database
    .selectFrom('sign_ins')
    .selectAll()
    .where('browser_id', '=', browserId)
    .where('finished_at', 'is', null)
    .where('expires_at', '>', now);
}

/** Whether the browser finished a sign-in whose address it has not followed yet. */
export async function hasUnfollowedSignIn(
  database: Database,
  browserId: string,
  now: Date,
): Promise<boolean> {
  const row = await database
    .selectFrom('sign_ins')
    .select('uid')
    .where('browser_id', '=', browserId)
    .where('finished_at', 'is not', null)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets sign-ins that nobody finished; answers how many. */
export function pruneSignIns(database: Database, now: Date): Promise<number> {
  return deleteInBatches(database, { table: 'sign_ins', key: ['uid'] }, sql`expires_at <= ${now}`);
}

export function toSignIn(row: Selectable<SignInsTable>): SignIn {
  return {
    uid: row.uid,
    browserId: row.browser_id,
    clientId: row.client_id,
    promptMethod: (row.prompt_method as PromptMethod | null) ?? undefined,
    reasons: row.reasons,
    parameters: row.parameters,
    personId: row.person_id ?? undefined,
    siteId: row.site_id ?? undefined,
    passwordAt: row.password_at ?? undefined,
    secondFactorAt: row.second_factor_at ?? undefined,
    passwordChangedAt: row.password_changed_at ?? undefined,
    siteChosenAt: row.site_chosen_at ?? undefined,
    externalAt: row.external_at ?? undefined,
    connectionId: row.connection_id ?? undefined,
    externalHint: row.external_hint ?? undefined,
    finishedAt: row.finished_at ?? undefined,
    expiresAt: row.expires_at,
    ...(row.region !== null &&
      row.region_uid !== null && { region: { url: row.region, uid: row.region_uid } }),
  };
}
