import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { errors } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { endingSignIn } from '../sign-in/sign-ins-store.ts';
import { readTogether } from '../store/read-together.ts';
import type { FirstRows, Queries } from '../store/read-together.ts';
import type { Services } from '../services.ts';
import { fingerprint } from './fingerprint.ts';
import { revokeGrant, securityVersionOfGrant } from './grants-store.ts';
import { consumingRecord, upsertingRecord } from './records-store.ts';
import type { NewRecord } from './records-store.ts';

type Store = Pick<Services, 'database' | 'clock'>;

/**
 * The collected writes of a request. The provider writes one record at a time; related writes are collected here and
 * executed in one statement, so that after a crash either all or none of them are stored.
 */
export type PendingWrites = {
  /** New or changed records, in this order. */
  records: { record: NewRecord; sessionUid?: string | undefined }[];
  /** A code that is redeemed. */
  consumed?: { model: string; id: string };
  /** An interaction whose result the browser has brought to the provider. Its sign-in ends too. */
  endedInteraction?: string;
  /** The provider's session (`uid`) that depends on a session of the service (`idHash`). */
  notedSession?: { idHash: string; uid: string };
};

/** The pending writes of each request. */
const pendingOf = new WeakMap<object, PendingWrites>();

export function pendingWrites(request: object): PendingWrites {
  const pending = pendingOf.get(request) ?? { records: [] };
  pendingOf.set(request, pending);
  return pending;
}

/**
 * Executes the collected writes, in one statement with `also`.
 * @throws `InvalidGrant` if a code was redeemed before, or for a token of a changed account; `LoginRequired` for a new
 * code of a changed account or an ended session
 */
export async function writePending<Also extends Queries>(
  store: Store,
  request: object,
  also: Also,
): Promise<FirstRows<Also>> {
  const pending = pendingWrites(request);
  pendingOf.delete(request);
  return await write(store, pending, also);
}

/**
 * Executes the remaining writes at the end of the request, mostly after an error. An error response is then sent
 * anyway, so the failure of a repeated redemption is ignored.
 */
export async function writeRemaining(
  store: Store,
  request: Pick<KoaContextWithOIDC, 'status'>,
): Promise<void> {
  if (!pendingOf.has(request)) return;
  await writePending(store, request, {}).catch((error: unknown) => {
    if (!(error instanceof errors.InvalidGrant) || request.status < 400) throw error;
  });
}

/** Does the same as `writePending` for writes that do not belong to a request. */
export async function write<Also extends Queries>(
  { database, clock }: Store,
  { records, consumed, endedInteraction, notedSession }: PendingWrites,
  also: Also,
): Promise<FirstRows<Also>> {
  const granted = records.find(({ record }) => record.grantId !== null)?.record;
  // A change of an account locks the account first. To avoid deadlocks, so do these writes: their conditions need the row
  // that the part `account` always returns, so PostgreSQL cannot decide them before it has locked the account.
  const after =
    granted === undefined ? sql<boolean>`true` : sql<boolean>`(select is_unchanged is not null from account)`;
  const now = clock.now();
  const parts = {
    ...(granted && { account: unchangedAccount(granted) }),
    ...(notedSession && { noted: notingSession(notedSession, after) }),
    ...(endedInteraction !== undefined && endingInteraction(endedInteraction, now, after)),
    ...(consumed && { consumed: consumingRecord(consumed, now, after) }),
    ...Object.fromEntries(
      records.map(({ record, sessionUid }, index) => [
        `record_${index}`,
        upsertingRecord(record, [
          ...(record.grantId === null ? [] : [sql<boolean>`(select is_unchanged from account)`]),
          ...(consumed === undefined ? [] : [sql<boolean>`exists (select from consumed)`]),
          ...(record.model !== 'AuthorizationCode'
            ? []
            : [
                notedSession === undefined
                  ? isSignedIn(record, sessionUid)
                  : sql<boolean>`exists (select from noted)`,
              ]),
        ]),
      ]),
    ),
  };
  const rows: Record<string, unknown> = await readTogether(database, { ...parts, ...also });
  if (consumed !== undefined && rows['consumed'] === undefined) await refuseReplay({ database }, consumed);
  for (const [index, { record }] of records.entries()) {
    if (rows[`record_${index}`] === undefined) throw refusal(record.model);
  }
  return rows as FirstRows<Also>;
}

/**
 * Whether the account still has the security version of the grant. The row lock makes a concurrent account change wait
 * for the write.
 */
function unchangedAccount({ accountId, grantId }: NewRecord): RawBuilder<unknown> {
  return sql`select exists (select from users where id = ${accountId} and status = 'active'
    and security_version = coalesce(${securityVersionOfGrant(grantId ?? '') ?? null}, security_version)
    for share) as is_unchanged`;
}

/** An authorization code is written only while its session is active. The lock makes a concurrent sign-out wait. */
function isSignedIn({ accountId }: NewRecord, sessionUid: string | undefined): RawBuilder<boolean> {
  return sql<boolean>`exists (select from sessions where user_id = ${accountId}
    and provider_session_uid = ${sessionUid ?? ''} and ended_at is null for share)`;
}

function notingSession(
  { idHash, uid }: { idHash: string; uid: string },
  after: RawBuilder<boolean>,
): RawBuilder<unknown> {
  return sql`update sessions set provider_session_uid = ${uid}
    where id_hash = ${idHash} and ended_at is null and ${after} returning id_hash`;
}

function endingInteraction(uid: string, now: Date, after: RawBuilder<boolean>): Queries {
  return {
    ...endingSignIn(uid, now, after),
    ended: sql`delete from openid_records where model = 'Interaction' and id = ${fingerprint(uid)} returning id`,
  };
}

/**
 * A second redemption indicates that the code was stolen, so the grant and all tokens from the first redemption are
 * revoked (RFC 6749, 4.1.2; RFC 9700, 4.14.2).
 */
async function refuseReplay(
  { database }: Pick<Store, 'database'>,
  { model, id }: { model: string; id: string },
): Promise<never> {
  const replayed = await database
    .selectFrom('openid_records')
    .select('grant_id')
    .where('model', '=', model)
    .where('id', '=', fingerprint(id))
    .executeTakeFirst();
  if (replayed?.grant_id != null) await revokeGrant(database, replayed.grant_id);
  throw new errors.InvalidGrant('already consumed');
}

/**
 * The token endpoint answers `invalid_grant`. A browser that returns to the provider restarts the sign-in (`gate.ts`),
 * and `prompt=none` gets `login_required`.
 */
function refusal(model: string): Error {
  return model === 'AuthorizationCode' || model === 'Grant'
    ? new errors.LoginRequired('the account has changed, or the session has ended')
    : new errors.InvalidGrant('the account has changed');
}
