import type { PromptMethod } from '@anteroom/contract';
import { sql } from 'kysely';
import type { RawBuilder, Selectable } from 'kysely';
import { ContractError } from '../http/errors.ts';
import { addSeconds } from '../lib/clock.ts';
import {
  activeUntil,
  followedSeconds,
  untouchedSeconds,
  worthExtendingBefore,
} from '../lib/sign-in-lives.ts';
import { fingerprint } from '../provider/fingerprint.ts';
import { compileOnce } from '../store/compiled-query.ts';
import { deleteInBatches } from '../store/expired-rows.ts';
import { readTogether } from '../store/read-together.ts';
import type { Database, DatabaseTransaction, SignInsTable } from '../store/schema.ts';
import type { VisitorRows } from '../store/visitor-rows.ts';
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
  userId: string | undefined;
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

type NewSignIn = Pick<SignIn, 'uid' | 'browserId' | 'clientId' | 'reasons' | 'parameters' | 'region'> &
  Partial<Pick<SignIn, 'promptMethod' | 'userId' | 'finishedAt'>>;

/**
 * The maximum size of the parameters of one request. Any anonymous sender can cause them to be stored twice: in the
 * provider's interaction and in our sign-in.
 */
export const parametersLimitBytes = 4 * 1024;

/** Whether the parameters are no longer than any application needs. */
export function areStorable(parameters: object): boolean {
  return Buffer.byteLength(JSON.stringify(parameters)) <= parametersLimitBytes;
}

const signInColumns = [
  'uid',
  'browser_id',
  'client_id',
  'prompt_method',
  'parameters',
  'user_id',
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
 * The query that starts a sign-in, which expires soon unless its page is used. If an active sign-in with this id exists,
 * because of concurrent calls, it stays unchanged. Restarts a sign-in that has expired.
 * @throws `validation_failed` if the parameters are too long
 */
export function openingSignIn(database: Database, rows: VisitorRows, signIn: NewSignIn, now: Date) {
  if (!areStorable(signIn.parameters))
    throw new ContractError('validation_failed', { detail: 'the parameters of the sign-in are too long' });
  return database
    .insertInto('sign_ins')
    .values(
      rows.bounded({
        uid: signIn.uid,
        browser_id: signIn.browserId,
        client_id: signIn.clientId,
        prompt_method: signIn.promptMethod,
        reasons: JSON.stringify(signIn.reasons),
        parameters: JSON.stringify(signIn.parameters),
        user_id: signIn.userId,
        finished_at: signIn.finishedAt,
        region: signIn.region?.url,
        region_uid: signIn.region?.uid,
        created_at: now,
        expires_at: addSeconds(now, untouchedSeconds),
      }),
    )
    .onConflict((conflict) =>
      conflict.column('uid').doUpdateSet({
        user_id: sql`case when sign_ins.expires_at > ${now} then sign_ins.user_id end`,
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
  const { rows } = await selectSignIn(database, { uid, browserId, now }).execute(database);
  const [row] = rows;
  return row && toSignIn(row);
}

/** The query of `findSignIn`, for use in a larger statement. */
export const selectSignIn = compileOnce(
  (database, { uid, browserId, now }: { uid: string; browserId: string; now: Date }) =>
    liveSignIns(database, browserId, now).where('uid', '=', uid),
);

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
 * application, or it has expired while `userId` is signed in. Never returns a sign-in of another browser.
 */
export async function findSignInLeftBehind(
  database: Database,
  { uid, browserId, userId }: { uid: string; browserId: string; userId: string | undefined },
  now: Date,
): Promise<SignIn | undefined> {
  const row = await database
    .selectFrom('sign_ins')
    .select(signInColumns)
    .where('uid', '=', uid)
    .where('browser_id', '=', browserId)
    .where((where) => {
      const isFollowed = where.and([where('followed_at', 'is not', null), where('expires_at', '>', now)]);
      if (userId === undefined) return isFollowed;
      const isOwn = where.or([where('user_id', 'is', null), where('user_id', '=', userId)]);
      const isExpired = where.and([where('followed_at', 'is', null), where('expires_at', '<=', now)]);
      return where.and([isOwn, where.or([isFollowed, isExpired])]);
    })
    .executeTakeFirst();
  return row && toSignIn(row);
}

function liveSignIns(database: Database | DatabaseTransaction, browserId: string, now: Date) {
  return database
    .selectFrom('sign_ins')
    .select(signInColumns)
    .where('browser_id', '=', browserId)
    .where('expires_at', '>', now)
    .where('followed_at', 'is', null);
}

/** Proofs of a user, for a sign-in as it was read. */
export type NewProofs = {
  signIn: Pick<SignIn, 'uid' | 'browserId' | 'userId'>;
  account: Account;
  proved: { readonly [kind in ProofKind]?: Omit<Proof, 'userId' | 'securityVersion'> };
  at: Date;
  /**
   * The kinds of the user's earlier proofs that a decision has used: the new ones are recorded only if the sign-in still
   * has a proof of each. It may be a later one of the same user.
   */
  reliedOn?: readonly ProofKind[];
};

const toProofs = ({ account: { id: userId, securityVersion }, proved }: NewProofs): Proofs =>
  Object.fromEntries(
    Object.entries(proved).map(([kind, proof]) => [kind, { ...proof, userId, securityVersion }]),
  );

/** The sign-in as it is once the proofs are recorded. */
export function asIfRecorded(signIn: SignIn, proofs: NewProofs): SignIn {
  const { account, at } = proofs;
  const earlier = signIn.userId === account.id ? signIn.proofs : {};
  return {
    ...signIn,
    userId: account.id,
    proofs: { ...earlier, ...toProofs(proofs) },
    lastStepAt: at,
  };
}

/**
 * Records the user's proofs, assigns the sign-in to the user, and deletes proofs of another user, in one conditional
 * statement. Returns undefined if the account has changed since it was read, or if a concurrent call has assigned the
 * sign-in to a third user. The same statement executes `alongside` if it has recorded the proofs.
 */
export async function recordProofs(
  database: Database | DatabaseTransaction,
  proofs: NewProofs,
  alongside: (recorded: RawBuilder<unknown>) => RawBuilder<unknown>[] = () => [],
): Promise<SignIn | undefined> {
  const { id, securityVersion } = proofs.account;
  const isUnchanged = sql<boolean>`exists (select from users
    where id = ${id} and status = 'active' and security_version = ${securityVersion})`;
  const { recorded } = await readTogether(
    database,
    { recorded: recordingProofs(database, proofs, isUnchanged) },
    alongside(sql`recorded`),
  );
  return recorded && toSignIn(recorded);
}

/**
 * The part of a larger statement that records proofs, and finishes the sign-in if `isFinished`. Returns no row unless
 * `when`, which must require the state of the account, and only while the sign-in is as it was read.
 */
export function recordingProofs(
  database: Database | DatabaseTransaction,
  proofs: NewProofs,
  when: RawBuilder<boolean>,
  { isFinished = false } = {},
): RawBuilder<SignInRow> {
  const { account, at } = proofs;
  const finishedAt = isFinished ? at : null;
  const values = { id: account.id, proofs: JSON.stringify(toProofs(proofs)), at, finishedAt };
  return recording(database, { ...values, isAccepted: acceptsProofs(proofs), when });
}

/** The condition of a larger statement that `recordingProofs` finds its sign-in, unless a concurrent call changes it. */
export const canRecord = (proofs: NewProofs): RawBuilder<boolean> =>
  sql`exists (select from sign_ins where ${acceptsProofs(proofs)})`;

/** The sign-in is active, has proofs of the kinds that were relied on, and belongs to the user or to whom it belonged when read. */
function acceptsProofs({ signIn, account, at, reliedOn = [] }: NewProofs): RawBuilder<boolean> {
  return sql`sign_ins.uid = ${signIn.uid} and sign_ins.browser_id = ${signIn.browserId}
    and sign_ins.expires_at > ${at} and sign_ins.followed_at is null
    and (sign_ins.user_id is not distinct from ${signIn.userId ?? null} or sign_ins.user_id = ${account.id})
    and sign_ins.proofs ?& string_to_array(${reliedOn.join(',')}, ',')`;
}

type RecordedValues = {
  id: string;
  proofs: string;
  at: Date;
  finishedAt: Date | null;
  isAccepted: boolean;
  when: boolean;
};

const recording = compileOnce((database, values: RecordedValues) => {
  const { id, at, finishedAt } = values;
  return database
    .updateTable('sign_ins')
    .set({
      user_id: id,
      proofs: sql<string>`case when user_id = ${id} then proofs else '{}' end || ${values.proofs}::jsonb`,
      advanced_at: at,
      finished_at: sql`coalesce(${finishedAt}, finished_at)`,
    })
    .where(sql<boolean>`${values.isAccepted}`)
    .where(sql<boolean>`${values.when}`)
    .returning(signInColumns);
});

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
  userId: string,
  now: Date,
  { expiresAt, when = sql`true` }: { expiresAt?: Date; when?: RawBuilder<boolean> } = {},
) {
  return sql<{ uid: string }>`update sign_ins
    set finished_at = ${now}, expires_at = coalesce(${expiresAt ?? null}::timestamptz, expires_at)
    where uid = ${uid} and browser_id = ${browserId} and user_id = ${userId} and expires_at > ${now}
      and followed_at is null and ${when}
    returning uid`;
}

/**
 * The parts of a larger statement that extend the sign-in of the part `sign_in` and the provider's interaction, if the
 * sign-in is unfinished and expires soon.
 */
export function extendingSignIn(uid: string, now: Date): RawBuilder<unknown>[] {
  const end = activeUntil(now);
  return [
    sql`extended as (update sign_ins set expires_at = ${end} from sign_in
      where sign_ins.uid = sign_in.uid and sign_ins.finished_at is null
        and sign_ins.expires_at <= ${worthExtendingBefore(now)}
      returning sign_ins.uid)`,
    sql`extended_interaction as (update openid_records set expires_at = ${end} from extended
      where model = 'Interaction' and id = ${fingerprint(uid)} and openid_records.expires_at < ${end})`,
  ];
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
  which: { of: readonly { userId: string; browserId: string }[] } | { clientId: string },
): Promise<void> {
  if ('of' in which && which.of.length === 0) return;
  await transaction
    .deleteFrom('sign_ins')
    .where((where) =>
      'clientId' in which
        ? where('client_id', '=', which.clientId)
        : where.and([
            where('user_id', '=', sql<string>`any(${which.of.map(({ userId }) => userId)})`),
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
      and user_id is not null and ended_at is null and absolute_expires_at > ${now})`,
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
    userId: row.user_id ?? undefined,
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
