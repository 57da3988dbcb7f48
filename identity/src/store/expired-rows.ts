import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import type { Database, Tables } from './schema.ts';

type Expiry<Table extends keyof Tables> = {
  /** The primary key. */
  key: readonly (keyof Tables[Table] & string)[];
  /** When a row expires; absent: `expires_at`. */
  column?: keyof Tables[Table] & string;
  /** How long a row stays after that; absent: not at all. */
  keepSeconds?: number;
};

const hourSeconds = 60 * 60;
const daySeconds = 24 * hourSeconds;

/** The tables whose rows expire at a time that they contain. */
const expiries = {
  sign_outs: { key: ['id'] },
  openid_records: { key: ['model', 'id'] },
  error_records: { key: ['id'] },
  limits: { key: ['key'] },
  // Older messages are not needed in a trial.
  outbox: { key: ['id'], column: 'created_at', keepSeconds: daySeconds },
  password_links: { key: ['user_id'] },
  // Operators see that an invitation has expired, and send it again.
  invitations: { key: ['user_id'], keepSeconds: 90 * daySeconds },
  refusal_links: { key: ['token_hash'] },
  // Used and exhausted codes stay for the lifetime of a sign-in, so that they are reported as such.
  one_time_codes: { key: ['purpose', 'bound_to'], keepSeconds: hourSeconds },
  // The limits count the messages of a day.
  code_messages: { key: ['id'], column: 'sent_at', keepSeconds: daySeconds },
  remembered_devices: { key: ['token_hash', 'user_id'] },
  used_passkey_challenges: { key: ['challenge_hash'] },
  // An arrival or departure that has just expired is reported as such.
  region_departures: { key: ['request_hash'], keepSeconds: 600 },
  region_arrivals: { key: ['request_hash'], keepSeconds: 600 },
  used_region_tokens: { key: ['id_hash'] },
  region_links: { key: ['link_id'] },
  external_requests: { key: ['id_hash'] },
  used_assertions: { key: ['id_hash'] },
  // Nodes report every few seconds; `keys/nodes.ts` ignores a silent node long before its row is deleted.
  nodes: { key: ['id'], column: 'seen_at', keepSeconds: hourSeconds },
} satisfies { [Table in keyof Tables]?: Expiry<Table> };

export type ExpiringTable = keyof typeof expiries;
const expiryOf: { [Table in ExpiringTable]: Expiry<Table> } = expiries;

/** Deletes the expired rows of a table and returns their number. */
export function deleteExpired<Table extends ExpiringTable>(
  database: Database,
  table: Table,
  now: Date,
): Promise<number> {
  const { key, column = 'expires_at', keepSeconds = 0 } = expiryOf[table] as Expiry<Table>;
  const before = addSeconds(now, -keepSeconds);
  return deleteInBatches(database, { table, key }, sql<boolean>`${sql.ref(column)} <= ${before}`);
}

/** Deletes the expired rows of every table of the list and returns their numbers. */
export async function deleteAllExpired(database: Database, now: Date): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of Object.keys(expiries) as ExpiringTable[])
    counts[table] = await deleteExpired(database, table, now);
  return counts;
}

/**
 * Deleting this many rows takes some tens of milliseconds, far below the statement timeout and without holding locks
 * for long.
 */
const batchRows = 5_000;

/**
 * Deletes the matching rows in batches of a few thousand. A busy hour leaves hundreds of thousands of rows; a single
 * statement would run into the timeout every time, and the table would grow without limit. Each statement checks the
 * condition twice, so that a row that is renewed meanwhile stays. Returns the number of deleted rows.
 */
export async function deleteInBatches<Table extends keyof Tables>(
  database: Database,
  { table, key }: { table: Table; key: readonly (keyof Tables[Table] & string)[] },
  where: RawBuilder<boolean>,
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let deleted = 0;
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where (${columns}) in (
        select ${columns} from ${sql.table(table)} where ${where} limit ${batchRows})
        and ${where}`.execute(database);
    deleted += Number(numAffectedRows);
    if (numAffectedRows < batchRows) return deleted;
  }
}
