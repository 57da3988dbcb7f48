import type { PromptMethod } from '@anteroom/contract';
import { sql } from 'kysely';
import type { RawBuilder, Selectable } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import { followedSeconds } from '../lib/sign-in-lives.ts';
import { deleteInBatches } from '../store/expired-rows.ts';
import { readTogether } from '../store/read-together.ts';
import type { Database, DatabaseTransaction, SignInsTable } from '../store/schema.ts';
import { parseProofs } from './proofs.ts';
import type { Account, Proof, ProofKind, Proofs } from './proofs.ts';

// Contains every statement on the table `sign_ins`.

/** One sign-in in progress: what the application asked for, and what has been proved so far. */
export type SignIn = {
  /** The provider's interaction. It stands in the address of the page and proves nothing by itself. */
  uid: string;
  /** The browser that started it; no other one may continue it. */
  browserId: string;
  clientId: string;
  promptMethod: PromptMethod | undefined;
  /** Why the provider asked, such as `no_session`, `login_prompt` or `max_age`. */
  reasons: string[];
  /** The original authorize parameters. */
  parameters: Record<string, string>;
  /** The person that the sign-in is for at present. */
  personId: string | undefined;
  /** Read them with `findEvidence`, which knows whom they count for. */
  proofs: Proofs;
  /** An e-mail address that was looked up and whose domain leads to a provider. */
  externalHint: string | undefined;
  finishedAt: Date | undefined;
  /** When the browser followed the address of the finished sign-in; only `findSignInLeftBehind` returns such a sign-in. */
  followedAt: Date | undefined;
  /** When the sign-in began, or when the last proof was recorded. */
  lastStepAt: Date;
  expiresAt: Date;
  /** If another region shows the page of this sign-in: the region's address, and its id for the sign-in. */
  region?: { url: string; uid: string } | undefined;
};

type NewSignIn = Pick<
  SignIn,
  'uid' | 'browserId' | 'clientId' | 'reasons' | 'parameters' | 'expiresAt' | 'region'
> &
  Partial<Pick<SignIn, 'promptMethod' | 'personId' | 'finishedAt'>>;

const signInColumns = [
  'uid',
  'browser_id',
  'client_id',
  'prompt_method',
  'parameters',
  'person_id',
  'proofs',
  'advanced_at',
  'reasons',
  'external_hint',
  'finished_at',
  'followed_at',
  'region',
  'region_uid',
  'created_at',
  'expires_at',
] as const;

export type SignInRow = Selectable<SignInsTable>;

/** Starts a sign-in. One that is there already, because several calls came at once, is returned as it is; one that is over starts anew. */
export async function openSignIn(database: Database, signIn: NewSignIn, now: Date): Promise<SignIn> {
  return toSignIn(await openingSignIn(database, signIn, now).executeTakeFirstOrThrow());
}

/** The query of `openSignIn`, for a statement that writes more. */
export function openingSignIn(database: Database, signIn: NewSignIn, now: Date) {
  return database
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
      region: signIn.region?.url,
      region_uid: signIn.region?.uid,
      created_at: now,
      expires_at: signIn.expiresAt,
    })
    .onConflict((conflict) =>
      conflict.column('uid').doUpdateSet({
        person_id: sql`case when sign_ins.expires_at > ${now} then sign_ins.person_id end`,
        proofs: sql`case when sign_ins.expires_at > ${now} then sign_ins.proofs else '{}' end`,
        finished_at: sql`case when sign_ins.expires_at > ${now} then sign_ins.finished_at end`,
        expires_at: sql`greatest(sign_ins.expires_at, excluded.expires_at)`,
      }),
    )
    .returning(signInColumns);
}

/** The live sign-in of that name in that browser: the name alone, or from another browser, finds nothing. */
export async function findSignIn(
  database: Database | DatabaseTransaction,
  uid: string,
  browserId: string,
  now: Date,
): Promise<SignIn | undefined> {
  const row = await selectSignIn(database, uid, browserId, now).executeTakeFirst();
  return row && toSignIn(row);
}

/** The query of `findSignIn`, for a statement that reads more. */
export function selectSignIn(
  database: Database | DatabaseTransaction,
  uid: string,
  browserId: string | RawBuilder<string>,
  now: Date,
) {
  return liveSignIns(database, browserId, now).where('uid', '=', uid);
}

/** The live sign-in of a browser that the page of another region calls so. */
export async function findSignInOfPage(
  database: Database,
  browserId: string,
  page: { uid: string; regions: readonly string[] },
  now: Date,
): Promise<SignIn | undefined> {
  const row = await liveSignIns(database, browserId, now)
    .where('region_uid', '=', page.uid)
    .where('region', 'in', page.regions)
    .executeTakeFirst();
  return row && toSignIn(row);
}

/** The unfinished sign-in that the browser advanced last, at any application or at one. */
export async function findLatestSignIn(
  database: Database,
  browserId: string,
  now: Date,
  clientId?: string,
): Promise<SignIn | undefined> {
  const row = await liveSignIns(database, browserId, now)
    .where('finished_at', 'is', null)
    .$if(clientId !== undefined, (query) => query.where('client_id', '=', clientId ?? ''))
    .orderBy(sql`greatest(created_at, advanced_at)`, 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && toSignIn(row);
}

/** Whether the browser finished a sign-in whose address it has not followed yet. */
export async function hasUnfollowedSignIn(
  database: Database,
  browserId: string,
  now: Date,
): Promise<boolean> {
  const row = await liveSignIns(database, browserId, now)
    .where('finished_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The sign-in of that name in that browser that needs nothing more: the browser has followed it to the application, or it has expired while
 * `personId` is signed in. The name alone, or from another browser, finds nothing.
 */
export async function findSignInLeftBehind(
  database: Database,
  { uid, browserId, personId }: { uid: string; browserId: string; personId: string | undefined },
  now: Date,
): Promise<SignIn | undefined> {
  const row = await database
    .selectFrom('sign_ins')
    .select(signInColumns)
    .where('uid', '=', uid)
    .where('browser_id', '=', browserId)
    .where((where) => {
      const isFollowed = where.and([where('followed_at', 'is not', null), where('expires_at', '>', now)]);
      if (personId === undefined) return isFollowed;
      const isOwn = where.or([where('person_id', 'is', null), where('person_id', '=', personId)]);
      const isExpired = where.and([where('followed_at', 'is', null), where('expires_at', '<=', now)]);
      return where.and([isOwn, where.or([isFollowed, isExpired])]);
    })
    .executeTakeFirst();
  return row && toSignIn(row);
}

function liveSignIns(
  database: Database | DatabaseTransaction,
  browserId: string | RawBuilder<string>,
  now: Date,
) {
  return database
    .selectFrom('sign_ins')
    .select(signInColumns)
    .where('browser_id', '=', browserId)
    .where('expires_at', '>', now)
    .where('followed_at', 'is', null);
}

/**
 * Records the user's proofs, assigns the sign-in to the user, and deletes proofs of another user, in one conditional
 * statement. Returns undefined if the account has changed since it was read, or if a call for a third user came in
 * between. The same statement executes `alongside` if it has recorded the proofs.
 */
export async function recordProofs(
  database: Database | DatabaseTransaction,
  { uid, browserId, personId }: Pick<SignIn, 'uid' | 'browserId' | 'personId'>,
  { id, securityVersion }: Account,
  proved: { readonly [kind in ProofKind]?: Omit<Proof, 'personId' | 'securityVersion'> },
  now: Date,
  alongside: (recorded: RawBuilder<unknown>) => RawBuilder<unknown>[] = () => [],
): Promise<SignIn | undefined> {
  const proofs: Proofs = Object.fromEntries(
    Object.entries(proved).map(([kind, proof]) => [kind, { ...proof, personId: id, securityVersion }]),
  );
  const recording = database
    .updateTable('sign_ins')
    .set({
      person_id: id,
      proofs: sql<string>`case when person_id = ${id} then proofs else '{}' end || ${JSON.stringify(proofs)}::jsonb`,
      advanced_at: now,
    })
    .where('uid', '=', uid)
    .where('browser_id', '=', browserId)
    .where('expires_at', '>', now)
    .where('followed_at', 'is', null)
    .where((where) =>
      where.or([where('person_id', 'is not distinct from', personId ?? null), where('person_id', '=', id)]),
    )
    .where((where) =>
      where.exists(
        where
          .selectFrom('people')
          .select('people.id')
          .where('people.id', '=', id)
          .where('people.status', '=', 'active')
          .where('people.security_version', '=', securityVersion),
      ),
    )
    .returning(signInColumns);
  const { recorded } = await readTogether(
    database,
    { recorded: sql<SignInRow>`${recording}` },
    alongside(sql`recorded`),
  );
  return recorded && toSignIn(recorded);
}

/** Keeps the address that leads to a provider with the sign-in that it was looked up in. */
export async function storeHint(
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

/**
 * Marks the sign-in as finished for the person, as a part of a statement that does more (`with finished as (…)`): it returns no row,
 * so that the rest does nothing, when the sign-in is over or another person's meanwhile.
 */
export function finishingSignIn(
  { uid, browserId }: Pick<SignIn, 'uid' | 'browserId'>,
  personId: string,
  now: Date,
  { expiresAt, when = sql`true` }: { expiresAt?: Date; when?: RawBuilder<boolean> } = {},
) {
  return sql<{ uid: string }>`update sign_ins
    set finished_at = ${now}, expires_at = coalesce(${expiresAt ?? null}::timestamptz, expires_at)
    where uid = ${uid} and browser_id = ${browserId} and person_id = ${personId} and expires_at > ${now}
      and followed_at is null and ${when}
    returning uid`;
}

/** Moves the end of an unfinished sign-in, as a part of a statement that does more (`with extended as (…)`). */
export function extendingSignIn({ uid, browserId }: Pick<SignIn, 'uid' | 'browserId'>, expiresAt: Date) {
  return sql<{ uid: string }>`update sign_ins set expires_at = ${expiresAt}
    where uid = ${uid} and browser_id = ${browserId} and finished_at is null and expires_at < ${expiresAt}
    returning uid`;
}

/**
 * Moves the end of the unfinished sign-in that the statement has read as `sign_in`, if it has less than that time left
 * (`with extended as (…)`). `after` holds once the rows of earlier parts are locked.
 */
export function extendingFoundSignIn(expiresAt: Date, worthBefore: Date, after: RawBuilder<boolean>) {
  return sql<{ uid: string }>`update sign_ins set expires_at = ${expiresAt} from sign_in
    where sign_ins.uid = sign_in.uid and sign_ins.finished_at is null and sign_ins.expires_at <= ${worthBefore}
      and ${after}
    returning sign_ins.uid`;
}

/**
 * Ends the sign-in as a part of a statement that ends its interaction too, once its address has been followed. A finished one is kept
 * without its proofs (`findSignInLeftBehind`).
 */
export function endingSignIn(uid: string, now: Date, after: RawBuilder<boolean>) {
  return {
    followed: sql`update sign_ins
      set followed_at = ${now}, proofs = '{}', expires_at = ${addSeconds(now, followedSeconds)}
      where uid = ${uid} and finished_at is not null and ${after} returning uid`,
    abandoned: sql`delete from sign_ins where uid = ${uid} and finished_at is null and ${after} returning uid`,
  };
}

/** Ends sign-ins before their time: those of a person in a browser, or of an application. */
export async function deleteSignIns(
  transaction: DatabaseTransaction,
  which: { of: readonly { personId: string; browserId: string }[] } | { clientId: string },
): Promise<void> {
  if ('of' in which && which.of.length === 0) return;
  await transaction
    .deleteFrom('sign_ins')
    .where((where) =>
      'clientId' in which
        ? where('client_id', '=', which.clientId)
        : where.and([
            where('person_id', '=', sql<string>`any(${which.of.map(({ personId }) => personId)})`),
            where('browser_id', '=', sql<string>`any(${which.of.map(({ browserId }) => browserId)})`),
          ]),
    )
    .execute();
}

/** Deletes expired sign-ins, but keeps those of browsers in which a user is still signed in; returns how many. */
export function pruneSignIns(database: Database, now: Date): Promise<number> {
  return deleteInBatches(
    database,
    { table: 'sign_ins', key: ['uid'] },
    sql`expires_at <= ${now} and not exists (select from sessions where sessions.browser_id = sign_ins.browser_id
      and person_id is not null and ended_at is null and absolute_expires_at > ${now})`,
  );
}

export function toSignIn(row: SignInRow): SignIn {
  return {
    uid: row.uid,
    browserId: row.browser_id,
    clientId: row.client_id,
    promptMethod: (row.prompt_method as PromptMethod | null) ?? undefined,
    reasons: row.reasons,
    parameters: row.parameters,
    personId: row.person_id ?? undefined,
    proofs: parseProofs(row.proofs),
    externalHint: row.external_hint ?? undefined,
    finishedAt: row.finished_at ?? undefined,
    followedAt: row.followed_at ?? undefined,
    lastStepAt: row.advanced_at ?? row.created_at,
    expiresAt: row.expires_at,
    ...(row.region !== null &&
      row.region_uid !== null && { region: { url: row.region, uid: row.region_uid } }),
  };
}
