import { sql } from 'kysely';
import type { KeyIds, KeySetting } from '../lib/keys.ts';
import type { Database } from '../store/schema.ts';

// The database, and not the order of a setting, determines which key signs. A process verifies with every key that it
// knows. It signs with a new key only after an operator has selected the key, once every node knows it
// (docs/decisions/036-which-key-is-in-use.md).

/** The settings lack a key that this database needs; the message tells the operator what to do. */
export class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError';
}

export type KeyInUse = { setting: KeySetting; id: string; since: Date };

/**
 * Returns the key in use of each setting. The first process on a new database selects the keys; outside production,
 * later processes can select others.
 * @throws MissingKeyError if production uses a key that this process does not know
 */
export async function claimKeysInUse(
  database: Database,
  known: KeyIds,
  { production, now }: { production: boolean; now: Date },
): Promise<Partial<Record<KeySetting, string>>> {
  const claimed: Partial<Record<KeySetting, string>> = {};
  for (const [setting, ids] of entriesOf(known)) {
    const [first] = ids;
    if (first === undefined) continue;
    await database
      .insertInto('keys_in_use')
      .values({ setting, key_id: first, production, since: now })
      .onConflict((conflict) =>
        conflict
          .column('setting')
          .doUpdateSet({ key_id: first, production, since: now })
          .where('keys_in_use.production', '=', false)
          .where((expression) =>
            expression.or([
              expression('keys_in_use.key_id', 'not in', [...ids]),
              expression(sql<boolean>`keys_in_use.production`, '!=', production),
            ]),
          ),
      )
      .execute();
    claimed[setting] = await requireKnownKey(database, setting, ids);
  }
  return claimed;
}

/** Returns the keys in use for an operator's command, without selecting any. */
export async function findKeysInUse(
  database: Database,
  known: KeyIds,
): Promise<Partial<Record<KeySetting, string>>> {
  const found: Partial<Record<KeySetting, string>> = {};
  for (const [setting, ids] of entriesOf(known))
    found[setting] = await requireKnownKey(database, setting, ids);
  return found;
}

async function requireKnownKey(
  database: Database,
  setting: KeySetting,
  ids: readonly string[],
): Promise<string | undefined> {
  const row = await database
    .selectFrom('keys_in_use')
    .select(['key_id', 'production'])
    .where('setting', '=', setting)
    .executeTakeFirst();
  if (row === undefined || ids.includes(row.key_id)) return row?.key_id;
  if (!row.production) return ids[0];
  throw new MissingKeyError(
    `${setting}: the key that this database uses (${row.key_id}) is not among its values. Use the settings of the running nodes.`,
  );
}

export async function listKeysInUse(database: Database): Promise<KeyInUse[]> {
  const rows = await database.selectFrom('keys_in_use').select(['setting', 'key_id', 'since']).execute();
  return rows.map(({ setting, key_id: id, since }) => ({ setting: setting as KeySetting, id, since }));
}

/** Selects the key. Nodes use it from their next start on. */
export async function useKey(
  database: Database,
  { setting, id, production, now }: { setting: KeySetting; id: string; production: boolean; now: Date },
): Promise<void> {
  const values = { key_id: id, production, since: now };
  await database
    .insertInto('keys_in_use')
    .values({ setting, ...values })
    .onConflict((conflict) => conflict.column('setting').doUpdateSet(values))
    .execute();
}

export function entriesOf(ids: KeyIds): [KeySetting, readonly string[]][] {
  return Object.entries(ids) as [KeySetting, readonly string[]][];
}
