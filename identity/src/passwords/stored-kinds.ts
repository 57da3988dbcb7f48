import { sql } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import type { Database } from '../store/schema.ts';
import type { StoreContext } from '../store/store-context.ts';

/** Within this time, every node notices an import, or that the last hash of a kind has been replaced. */
const rememberSeconds = 5;

/** The kind of a stored hash (`kindOf`), exactly as in the index `credentials_by_kind`. */
export const kindColumn = sql.raw<string>(String.raw`regexp_replace(password_hash, '\$[^$]*\$[^$]*$', '')`);

/** Finds the kinds of all stored hashes. The query takes one index step per kind, regardless of the number of users. */
export async function findStoredKinds(database: Database): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ kind: string }>`
    with recursive kinds as (
      (select ${kindColumn} as kind from credentials order by ${kindColumn} limit 1)
      union all
      (select (select ${kindColumn} from credentials where ${kindColumn} > kinds.kind order by ${kindColumn} limit 1)
        from kinds where kinds.kind is not null)
    )
    select kind from kinds where kind is not null`.execute(database);
  return new Set(rows.map((row) => row.kind));
}

export function createStoredKinds({
  database,
  clock,
}: Pick<StoreContext, 'database' | 'clock'>): () => Promise<ReadonlySet<string>> {
  let remembered: { kinds: ReadonlySet<string>; until: Date } | undefined;
  return async () => {
    const now = clock.now();
    if (remembered === undefined || remembered.until <= now)
      remembered = { kinds: await findStoredKinds(database), until: addSeconds(now, rememberSeconds) };
    return remembered.kinds;
  };
}
