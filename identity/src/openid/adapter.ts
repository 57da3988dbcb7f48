import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { Provider, errors } from 'oidc-provider';
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import { addSeconds } from '../lib/clock.ts';
import type { Services } from '../services.ts';
import type { PersonStatus } from '../store/schema.ts';
import { findClientMetadata } from './clients-store.ts';
import { fingerprint } from './fingerprint.ts';
import { endingSignIn } from '../sign-ins/sign-ins-store.ts';
import { revokeGrant, securityVersionOfGrant } from './grants-store.ts';

type Store = Pick<Services, 'database' | 'clock'>;

/** What the provider follows by its grant and its session, in every request that brings one of these. */
const comesOfGrant: ReadonlySet<string> = new Set(['AuthorizationCode', 'AccessToken', 'RefreshToken']);

const readAhead = new WeakMap<object, Row[]>();

/** Grants that are written with the code of the same request, or not at all: nothing but a code makes use of a new grant. */
const grantsToWrite = new WeakMap<object, RawBuilder<{ id: string }>>();

/** The provider's storage: clients are read from their own table, everything else is a row of `openid_records`. */
export function createAdapterFactory(store: Store): AdapterFactory {
  return (model) => (model === 'Client' ? createClientAdapter(store) : createRecordAdapter(store, model));
}

function createClientAdapter({ database }: Store): Adapter {
  const readOnly = () =>
    Promise.reject(new Error('Clients are registered by an operator, not by the provider'));
  return {
    find: (id) => findClientMetadata(database, id),
    upsert: readOnly,
    destroy: readOnly,
    consume: readOnly,
    findByUid: readOnly,
    findByUserCode: readOnly,
    revokeByGrantId: readOnly,
  };
}

function createRecordAdapter({ database, clock }: Store, model: string): Adapter {
  const live = () =>
    database
      .selectFrom('openid_records')
      .leftJoin('people', 'people.id', 'openid_records.account_id')
      .select([
        'model',
        'payload',
        'consumed_at',
        'expires_at',
        'grant_id',
        'security_version',
        'status',
        'uid',
      ])
      .where('expires_at', '>', clock.now());

  /** The record, and those that the provider asks for next in the same request: its grant, and the session that it lives with. */
  async function findGranted(id: string): Promise<Row | undefined> {
    const given = database
      .selectFrom('openid_records as given')
      .where('given.model', '=', model)
      .where('given.id', '=', fingerprint(id));
    const rows = await live()
      .where((where) =>
        where.or([
          where.and([where('model', '=', model), where('openid_records.id', '=', fingerprint(id))]),
          where.and([where('model', '=', 'Grant'), where('grant_id', '=', given.select('given.grant_id'))]),
          where.and([
            where('model', '=', 'Session'),
            where('uid', '=', given.select(sql<string>`given.payload ->> 'sessionUid'`.as('uid'))),
          ]),
        ]),
      )
      .execute();
    const row = rows.find((found) => found.model === model);
    if (row !== undefined && Provider.ctx !== undefined) readAhead.set(Provider.ctx, rows);
    return row;
  }

  /** A record of this request that was read together with what comes of it; each is taken once. */
  function takeReadAhead(isMeant: (row: Row) => boolean): Row | undefined {
    const rows = Provider.ctx && readAhead.get(Provider.ctx);
    const index = rows?.findIndex((row) => row.model === model && isMeant(row)) ?? -1;
    return rows?.splice(index, index === -1 ? 0 : 1)[0];
  }

  return {
    async upsert(id, payload, expiresInSeconds) {
      // everything that we let the provider keep has a lifetime (configuration.ts, `ttl`)
      if (expiresInSeconds === undefined) throw new Error(`A ${model} without an end`);
      const row = {
        payload: JSON.stringify(withoutSecrets(payload)),
        grant_id: grantOf(model, id, payload),
        uid: payload.uid ?? null,
        account_id: payload.accountId ?? null,
        expires_at: addSeconds(clock.now(), expiresInSeconds),
      };
      const request = Provider.ctx;
      const grant =
        model === 'AuthorizationCode' && request !== undefined ? grantsToWrite.get(request) : undefined;
      const writing = (grant === undefined ? database : database.with('granted', () => grant))
        .insertInto('openid_records')
        .columns(['model', 'id', 'payload', 'grant_id', 'uid', 'account_id', 'expires_at'])
        .expression(
          database
            .selectNoFrom([
              sql`${model}`.as('model'),
              sql`${fingerprint(id)}`.as('id'),
              sql`${row.payload}::jsonb`.as('payload'),
              sql`${row.grant_id}::text`.as('grant_id'),
              sql`${row.uid}::text`.as('uid'),
              sql`${row.account_id}::text`.as('account_id'),
              sql`${row.expires_at}::timestamptz`.as('expires_at'),
            ])
            .where(sql.join<boolean>([sql`true`, ...conditionsOf(model, row, payload)], sql` and `)),
        )
        .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(row));
      if (model === 'Grant' && request !== undefined) {
        grantsToWrite.set(request, sql`(${writing.returning('id')})`);
        return;
      }
      const { numInsertedOrUpdatedRows = 0n } = await writing.executeTakeFirst();
      if (numInsertedOrUpdatedRows === 0n) throw refusal(model);
    },

    async find(id) {
      const row = comesOfGrant.has(model)
        ? await findGranted(id)
        : (takeReadAhead(({ grant_id: grantId }) => grantId === id) ??
          (await live()
            .where('model', '=', model)
            .where('openid_records.id', '=', fingerprint(id))
            .executeTakeFirst()));
      return isOver(row) ? undefined : { ...toPayload(row, clock.now()), jti: id };
    },

    async findByUid(uid) {
      const row =
        takeReadAhead((found) => found.uid === uid) ??
        (await live().where('model', '=', model).where('openid_records.uid', '=', uid).executeTakeFirst());
      return isOver(row) ? undefined : toPayload(row, clock.now());
    },

    findByUserCode: () => Promise.reject(new Error('The device flow is off')),

    /**
     * One conditional statement, because the provider itself reads and then writes: with a plain adapter 10 of 20
     * parallel redemptions of one code succeeded. Whoever comes second was given a stolen code or stole it, so
     * everything that the first one got ends as well (RFC 6749, 4.1.2; RFC 9700, 4.14.2).
     */
    async consume(id) {
      const own = { model, id: fingerprint(id) };
      const consumed = await database
        .updateTable('openid_records')
        .set({ consumed_at: clock.now() })
        .where('model', '=', own.model)
        .where('id', '=', own.id)
        .where('consumed_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      if (consumed !== undefined) return;

      const replayed = await database
        .selectFrom('openid_records')
        .select('grant_id')
        .where('model', '=', own.model)
        .where('id', '=', own.id)
        .executeTakeFirst();
      if (replayed?.grant_id != null) await revokeGrant(database, replayed.grant_id);
      throw new errors.InvalidGrant('already consumed');
    },

    async destroy(id) {
      // an interaction that has been followed ends together with the sign-in that it is
      const ending = model === 'Interaction' ? endingSignIn(database, id, clock.now()) : database;
      await ending
        .deleteFrom('openid_records')
        .where('model', '=', model)
        .where('id', '=', fingerprint(id))
        .execute();
    },

    async revokeByGrantId(grantId) {
      await database
        .deleteFrom('openid_records')
        .where('model', '=', model)
        .where('grant_id', '=', grantId)
        .execute();
    },
  };
}

/**
 * What ends together with a grant: the grant itself, so that revoking it is one statement, and its codes and tokens. An
 * interaction only remembers which grant there was when it began.
 */
function grantOf(model: string, id: string, { grantId }: AdapterPayload): string | null {
  if (model === 'Grant') return id;
  return model === 'Interaction' ? null : (grantId ?? null);
}

/** The id is kept as a fingerprint alone; an interaction would also carry the session's cookie value. */
function withoutSecrets({ jti: _jti, session, ...payload }: AdapterPayload): AdapterPayload {
  if (session === undefined) return payload;
  const { cookie: _cookie, ...kept } = session;
  return { ...payload, session: kept };
}

/**
 * What comes of a grant is written only while the account is in the state that the grant was made in, and a code only while the session
 * lives that it comes of. Both rows are held until it is written, as every change of the account and every sign-out does.
 */
function conditionsOf(
  model: string,
  { grant_id: grantId, account_id: personId }: { grant_id: string | null; account_id: string | null },
  { sessionUid }: AdapterPayload,
) {
  if (grantId === null) return [];
  const isAccountUnchanged = sql<boolean>`exists (select from people where id = ${personId}
    and status = 'active' and security_version = coalesce(${securityVersionOfGrant(grantId) ?? null}, security_version)
    for share)`;
  if (model !== 'AuthorizationCode') return [isAccountUnchanged];
  const isSignedIn = sql<boolean>`exists (select from sessions where person_id = ${personId}
    and provider_session_uid = ${sessionUid ?? ''} and ended_at is null for share)`;
  return [isAccountUnchanged, isSignedIn];
}

/** The token endpoint answers `invalid_grant`. A browser that returns to the provider starts the sign-in again (`gate.ts`); a request without a page gets `login_required`. */
function refusal(model: string): Error {
  return model === 'AuthorizationCode' || model === 'Grant'
    ? new errors.LoginRequired('the account has changed, or the session has ended')
    : new errors.InvalidGrant('the account has changed');
}

/** Whether a record is not there, or comes of a grant that was made in another state of its account. */
function isOver(row: Row | undefined): row is undefined {
  if (row === undefined) return true;
  if (row.grant_id === null) return false;
  const grantedIn = securityVersionOfGrant(row.grant_id) ?? row.security_version;
  return row.status !== 'active' || row.security_version !== grantedIn;
}

type Row = {
  model: string;
  uid: string | null;
  payload: Record<string, unknown>;
  consumed_at: Date | null;
  expires_at: Date | null;
  grant_id: string | null;
  security_version: number | null;
  status: PersonStatus | null;
};

/**
 * The provider looks at the end of what it keeps once more, with the clock of the machine it runs on. So the end is told in that clock:
 * a code lives its 60 seconds on every node, also on one whose clock is a minute ahead of the node's that made it.
 */
function toPayload(
  { payload, consumed_at, expires_at }: Pick<Row, 'payload' | 'consumed_at' | 'expires_at'>,
  now: Date,
): AdapterPayload {
  const leftMs = expires_at === null ? undefined : expires_at.getTime() - now.getTime();
  return {
    ...(payload as AdapterPayload),
    ...(leftMs !== undefined && { exp: Math.ceil((Date.now() + leftMs) / 1000) }),
    ...(consumed_at !== null && { consumed: Math.floor(consumed_at.getTime() / 1000) }),
  };
}
