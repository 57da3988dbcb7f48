import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { Provider } from 'oidc-provider';
import type { Adapter, AdapterFactory, AdapterPayload, KoaContextWithOIDC } from 'oidc-provider';
import { addSeconds } from '../lib/clock.ts';
import type { Services } from '../services.ts';
import { findClientMetadata } from './clients-store.ts';
import type { ExchangesByRequest } from './exchanges-by-request.ts';
import { fingerprint } from './fingerprint.ts';
import { securityVersionOfGrant, siteOfStoredGrant } from './grants-store.ts';
import { findReadAhead, keepReadAhead, takeRecord, selectRecord, selectUnexpired } from './records-store.ts';
import type { StoredRecord } from './records-store.ts';
import { pendingWrites, write, writePending } from './request-writes.ts';
import { selectSubject } from './subjects-store.ts';

type Store = Pick<Services, 'database' | 'clock'>;

/** Models whose records the provider reads together with their grant, session and user. */
const grantBoundModels: ReadonlySet<string> = new Set(['AuthorizationCode', 'AccessToken', 'RefreshToken']);

/** The provider's storage: clients come from the `clients` table, all other models are rows of `openid_records`. */
export function createAdapterFactory(
  store: Store,
  exchanges: Pick<ExchangesByRequest, 'require'>,
): AdapterFactory {
  return (model) =>
    model === 'Client' ? createClientAdapter(store) : createRecordAdapter(store, exchanges, model);
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

function createRecordAdapter(
  store: Store,
  exchanges: Pick<ExchangesByRequest, 'require'>,
  model: string,
): Adapter {
  const { database, clock } = store;

  /** Loads the record together with the grant, the session and the user that the provider reads next in the same request. */
  async function findGranted(id: string): Promise<StoredRecord | undefined> {
    const given = database
      .selectFrom('openid_records as given')
      .where('given.model', '=', model)
      .where('given.id', '=', fingerprint(id));
    const records = await selectUnexpired(database, clock.now())
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
      .select(
        jsonObjectFrom(
          selectSubject(
            database,
            sql.ref('openid_records.account_id'),
            siteOfStoredGrant(sql.ref('grant_id')),
          ),
        ).as('subject'),
      )
      .execute();
    const found = records.find((record) => record.model === model);
    if (found !== undefined && Provider.ctx !== undefined) keepReadAhead(Provider.ctx, records);
    return found;
  }

  const takeReadAhead = (matches: (record: StoredRecord) => boolean) =>
    Provider.ctx && takeRecord(Provider.ctx, (record) => record.model === model && matches(record));

  return {
    async upsert(id, payload, expiresInSeconds) {
      // every model has a lifetime (configuration.ts, `ttl`)
      if (expiresInSeconds === undefined) throw new Error(`The ${model} has no expiry`);
      const record = {
        model,
        id: fingerprint(id),
        payload: JSON.stringify(withoutSecrets(payload)),
        grantId: grantOf(model, id, payload),
        uid: payload.uid ?? null,
        accountId: payload.accountId ?? null,
        expiresAt: addSeconds(clock.now(), expiresInSeconds),
      };
      const request = Provider.ctx;
      if (request !== undefined && isLeftByVisitor(model, payload, request)) {
        const rows = await exchanges.require(request.req).requireAnonymousAllowance();
        rows.bounded(record);
      }
      const added = { record, sessionUid: payload.sessionUid };
      if (request === undefined) {
        await write(store, { records: [added] }, {});
        return;
      }
      pendingWrites(request).records.push(added);
      if (!isWrittenLater(model)) await writePending(store, request, {});
    },

    async find(id) {
      const record = grantBoundModels.has(model)
        ? await findGranted(id)
        : (takeReadAhead((known) => known.grant_id === id || known.id === fingerprint(id)) ??
          (await selectRecord(database, { model, id }, clock.now()).executeTakeFirst()));
      return isMissingOrOutdated(record) ? undefined : { ...toPayload(record, clock.now()), jti: id };
    },

    async findByUid(uid) {
      const record =
        takeReadAhead((known) => known.uid === uid) ??
        (await selectUnexpired(database, clock.now())
          .where('openid_records.model', '=', model)
          .where('openid_records.uid', '=', uid)
          .executeTakeFirst());
      return isMissingOrOutdated(record) ? undefined : toPayload(record, clock.now());
    },

    findByUserCode: () => Promise.reject(new Error('The device flow is off')),

    /**
     * Uses a single conditional statement, because the provider reads before it writes: with a plain adapter, 10 of 20
     * parallel redemptions of one code succeeded. A code without a resource leads to an opaque access token; in that
     * case, the statement that stores the token also redeems the code.
     */
    async consume(id) {
      const request = Provider.ctx;
      const consumed = { model, id };
      const code = request && findReadAhead(request, (record) => record.id === fingerprint(id));
      if (
        request !== undefined &&
        code?.model === 'AuthorizationCode' &&
        code.payload['resource'] === undefined
      )
        pendingWrites(request).consumed = consumed;
      else await write(store, { records: [], consumed }, {});
    },

    async destroy(id) {
      if (model === 'Interaction' && Provider.ctx !== undefined) {
        pendingWrites(Provider.ctx).endedInteraction = id;
        return;
      }
      await database
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
 * The id of the grant with which a record is deleted: the grant's own id for a grant, so that one statement revokes
 * everything, and the grant id for codes and tokens. Null for an interaction, whose payload only mentions the grant
 * that existed when it started.
 */
function grantOf(model: string, id: string, { grantId }: AdapterPayload): string | null {
  if (model === 'Grant') return id;
  return model === 'Interaction' ? null : (grantId ?? null);
}

/**
 * Removes the record's id, which is stored only as a fingerprint, and the session's cookie value from the payload of an
 * interaction.
 */
function withoutSecrets({ jti: _jti, session, ...payload }: AdapterPayload): AdapterPayload {
  if (session === undefined) return payload;
  const { cookie: _cookie, ...kept } = session;
  return { ...payload, session: kept };
}

/**
 * Whether a visitor without a session can cause this record. All others follow a proof of a user or of a client. The
 * provider marks its own session as `new` until it is stored; later writes only update the row.
 */
function isLeftByVisitor(
  model: string,
  { accountId }: AdapterPayload,
  { oidc }: KoaContextWithOIDC,
): boolean {
  if (model !== 'Session') return model === 'Interaction';
  return accountId === undefined && oidc.session !== undefined && 'new' in oidc.session;
}

/**
 * Whether the record can wait for a later write of the same request, so that one statement writes both: the provider
 * saves its session later (`lib/shared/session.js`, also after an error), and a new interaction gets a sign-in
 * (`interactions.ts`).
 */
const isWrittenLater = (model: string): boolean =>
  model === 'Grant' || model === 'AuthorizationCode' || model === 'Interaction';

/** Whether a record is missing, or its grant was made for an earlier security version of the account. */
function isMissingOrOutdated(row: StoredRecord | undefined): row is undefined {
  if (row === undefined) return true;
  if (row.grant_id === null) return false;
  const grantVersion = securityVersionOfGrant(row.grant_id) ?? row.security_version;
  return row.status !== 'active' || row.security_version !== grantVersion;
}

/**
 * The provider checks expiry again, against the clock of the machine. `exp` is therefore converted to the machine's
 * clock. A code is thus valid for 60 seconds on every node, even if the clock of the issuing node is a minute behind.
 */
function toPayload(
  { payload, consumed_at, expires_at }: Pick<StoredRecord, 'payload' | 'consumed_at' | 'expires_at'>,
  now: Date,
): AdapterPayload {
  const leftMs = expires_at === null ? undefined : expires_at.getTime() - now.getTime();
  return {
    ...(payload as AdapterPayload),
    ...(leftMs !== undefined && { exp: Math.ceil((Date.now() + leftMs) / 1000) }),
    ...(consumed_at !== null && { consumed: Math.floor(consumed_at.getTime() / 1000) }),
  };
}
