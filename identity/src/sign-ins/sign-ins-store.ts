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

// All statements on the table `sign_ins`.

/** A sign-in: the application's request, and the proofs so far. */
export type SignIn = {
  /** The id of the provider's interaction. It is part of the page's URL and grants no access by itself. */
  uid: string;
  /** The browser that started the sign-in. No other browser can continue it. */
  browserId: string;
  clientId: string;
  promptMethod: PromptMethod | undefined;
  /** The provider's reasons for the prompt, such as `no_session`, `login_prompt` or `max_age`. */
  reasons: string[];
  /** The original authorize parameters. */
  parameters: Record<string, string>;
  /** The user who last proved something in this sign-in. */
  personId: string | undefined;
  /** Read the proofs with `findEvidence`, which returns only the valid ones of a user. */
  proofs: Proofs;
  /** The entered e-mail address, if its domain belongs to an identity provider. */
  externalHint: string | undefined;
  finishedAt: Date | undefined;
  /**
   * When the browser followed the redirect of the finished sign-in. Only `findSignInLeftBehind` returns such a sign-in.
   */
  followedAt: Date | undefined;
  /** When the sign-in began, or when the last proof was recorded. */
  lastStepAt: Date;
  expiresAt: Date;
  /** If another region serves the page of this sign-in: that region's URL, and the id of the sign-in there. */
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

/**
 * Starts a sign-in. If an active sign-in with this id exists, because of concurrent calls, returns it unchanged.
 * Restarts a sign-in that has expired.
 */
export async function openSignIn(database: Database, signIn: NewSignIn, now: Date): Promise<SignIn> {
  return toSignIn(await openingSignIn(database, signIn, now).executeTakeFirstOrThrow());
}

/** The query of `openSignIn`, for use in a larger statement. */
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

/** Finds the active sign-in with this id in this browser. Never returns a sign-in of another browser. */
export async function findSignIn(
  database: Database | DatabaseTransaction,
  uid: string,
  browserId: string,
  now: Date,
): Promise<SignIn | undefined> {
  const row = await selectSignIn(database, uid, browserId, now).executeTakeFirst();
  return row && toSignIn(row);
}

/** The query of `findSignIn`, for use in a larger statement. */
export function selectSignIn(
  database: Database | DatabaseTransaction,
  uid: string,
  browserId: string | RawBuilder<string>,
  now: Date,
) {
  return liveSignIns(database, browserId, now).where('uid', '=', uid);
}

/** Finds the active sign-in of a browser by the id that another region's page uses for it. */
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

/** Finds the unfinished sign-in that the browser advanced last, at any application or at the given one. */
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

/** Whether the browser has finished a sign-in without following its redirect. */
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
 * Finds the sign-in with this id in this browser if it accepts no further steps: the browser has followed it to the
 * application, or it has expired while `personId` is signed in. Never returns a sign-in of another browser.
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
 * statement. Returns undefined if the account has changed since it was read, or if a concurrent call has assigned the
 * sign-in to a third user. The same statement executes `alongside` if it has recorded the proofs.
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

/** Stores, with the sign-in, the e-mail address that the visitor entered: its domain belongs to an identity provider. */
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
 * The part of a larger statement that marks the sign-in as finished for the user (`with finished as (…)`). Returns no
 * row if the sign-in has ended or now belongs to another user; the other parts then change nothing.
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

/** The part of a larger statement that extends an unfinished sign-in (`with extended as (…)`). */
export function extendingSignIn({ uid, browserId }: Pick<SignIn, 'uid' | 'browserId'>, expiresAt: Date) {
  return sql<{ uid: string }>`update sign_ins set expires_at = ${expiresAt}
    where uid = ${uid} and browser_id = ${browserId} and finished_at is null and expires_at < ${expiresAt}
    returning uid`;
}

/**
 * The part of a larger statement (`with extended as (…)`) that extends the unfinished sign-in which the statement has
 * read as `sign_in`, if it expires by `worthBefore`. `after` is true once the rows of earlier parts are locked.
 */
export function extendingFoundSignIn(expiresAt: Date, worthBefore: Date, after: RawBuilder<boolean>) {
  return sql<{ uid: string }>`update sign_ins set expires_at = ${expiresAt} from sign_in
    where sign_ins.uid = sign_in.uid and sign_ins.finished_at is null and sign_ins.expires_at <= ${worthBefore}
      and ${after}
    returning sign_ins.uid`;
}

/**
 * The parts of a larger statement that end the sign-in together with its interaction, after the browser has followed
 * the redirect. A finished sign-in is stored without its proofs for some time (`findSignInLeftBehind`).
 */
export function endingSignIn(uid: string, now: Date, after: RawBuilder<boolean>) {
  return {
    followed: sql`update sign_ins
      set followed_at = ${now}, proofs = '{}', expires_at = ${addSeconds(now, followedSeconds)}
      where uid = ${uid} and finished_at is not null and ${after} returning uid`,
    abandoned: sql`delete from sign_ins where uid = ${uid} and finished_at is null and ${after} returning uid`,
  };
}

/** Deletes sign-ins before they expire: those of users in their browsers, or those at an application. */
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

/**
 * Deletes expired sign-ins, except those of browsers in which a user is still signed in. Returns the number of deleted
 * rows.
 */
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
