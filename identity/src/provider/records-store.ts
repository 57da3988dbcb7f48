import { sql } from 'kysely';
import type { Expression, RawBuilder } from 'kysely';
import type { Database, UserStatus } from '../store/schema.ts';
import { fingerprint } from './fingerprint.ts';
import type { Subject } from './subjects-store.ts';

// Queries on `openid_records` that can be parts of a larger statement.

/** A stored record, with the current state of its account. */
export type StoredRecord = {
  model: string;
  id: string;
  uid: string | null;
  payload: Record<string, unknown>;
  consumed_at: Date | null;
  expires_at: Date | null;
  grant_id: string | null;
  security_version: number | null;
  status: UserStatus | null;
};

/** A record to write. `id` is a fingerprint, and `payload` is JSON. */
export type NewRecord = {
  model: string;
  id: string;
  payload: string;
  grantId: string | null;
  uid: string | null;
  accountId: string | null;
  expiresAt: Date;
};

export function selectUnexpired(database: Database, now: Date) {
  return database
    .selectFrom('openid_records')
    .leftJoin('users', 'users.id', 'openid_records.account_id')
    .select([
      'openid_records.model',
      'openid_records.id',
      'openid_records.uid',
      'openid_records.payload',
      'openid_records.consumed_at',
      'openid_records.expires_at',
      'openid_records.grant_id',
      'users.security_version',
      'users.status',
    ])
    .where('openid_records.expires_at', '>', now);
}

export function selectRecord(database: Database, { model, id }: { model: string; id: string }, now: Date) {
  return selectUnexpired(database, now)
    .where('openid_records.model', '=', model)
    .where('openid_records.id', '=', fingerprint(id));
}

/** Writes the record, or replaces it, if all conditions hold. Returns its id. */
export function upsertingRecord(
  { model, id, payload, grantId, uid, accountId, expiresAt }: NewRecord,
  conditions: readonly Expression<boolean>[],
): RawBuilder<{ id: string }> {
  const when = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  return sql`insert into openid_records (model, id, payload, grant_id, uid, account_id, expires_at)
    select ${model}, ${id}, ${payload}::jsonb, ${grantId}::text, ${uid}::text, ${accountId}::text,
      ${expiresAt}::timestamptz ${when}
    on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id,
      uid = excluded.uid, account_id = excluded.account_id, expires_at = excluded.expires_at
    returning id`;
}

/** Marks a record as consumed, and returns its id, unless it has been consumed before. */
export function consumingRecord(
  { model, id }: { model: string; id: string },
  now: Date,
  after: RawBuilder<boolean>,
): RawBuilder<{ id: string }> {
  return sql`update openid_records set consumed_at = ${now}
    where model = ${model} and id = ${fingerprint(id)} and consumed_at is null and ${after}
    returning id`;
}

// A cache of records that one statement has read and that the provider requests later in the same HTTP request.

/** `subject`: the user of the record, with the claims for a token. */
type ReadAhead = StoredRecord & { subject?: Subject | null };

const readAhead = new WeakMap<object, ReadAhead[]>();

export function keepReadAhead(request: object, records: readonly ReadAhead[]): void {
  readAhead.set(request, [...records]);
}

export function findReadAhead(
  request: object,
  matches: (record: StoredRecord) => boolean,
): ReadAhead | undefined {
  return readAhead.get(request)?.find(matches);
}

/**
 * Returns a record that was read ahead. Returns each record only once, except codes and tokens, which the provider does
 * not request again.
 */
export function takeRecord(
  request: object,
  matches: (record: StoredRecord) => boolean,
): StoredRecord | undefined {
  const records = readAhead.get(request);
  const index = records?.findIndex(matches) ?? -1;
  return records?.splice(index, index === -1 ? 0 : 1)[0];
}
