import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { displayNameKey } from '../../lib/names.ts';

const pageSize = 1000;

/**
 * Finds sites by display name, unless they are unlisted. The key is computed here rather than in SQL, because `lower`
 * depends on the locale of the installation. A node of the previous release writes no key; such a site is found only
 * by its name until it is saved again.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      'alter table sites add column listed boolean not null default true, add column display_name_key text',
    )
    .execute(database);
  for (let last = '', isDone = false; !isDone;) {
    const { rows } = await sql<{ id: string; display_name: string }>`
      select id, display_name from sites where id > ${last} order by id limit ${pageSize}`.execute(database);
    const keys = rows.map(({ id, display_name }) => ({ id, key: displayNameKey(display_name) }));
    await sql`
      update sites set display_name_key = keys.key
      from json_to_recordset(${JSON.stringify(keys)}::json) as keys (id text, key text)
      where sites.id = keys.id`.execute(database);
    last = rows.at(-1)?.id ?? '';
    isDone = rows.length < pageSize;
  }
  await sql
    .raw(
      `create index sites_by_display_name on sites (display_name_key)
      where parent_id is null and listed and disabled_at is null`,
    )
    .execute(database);
}
