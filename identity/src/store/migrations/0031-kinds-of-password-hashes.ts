import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Finds the kinds of stored password hashes; `passwords/stored-kinds.ts` uses the same expression. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const kind = String.raw`regexp_replace(password_hash, '\$[^$]*\$[^$]*$', '')`;
  await sql.raw(`create index credentials_by_kind on credentials ((${kind}))`).execute(database);
}
