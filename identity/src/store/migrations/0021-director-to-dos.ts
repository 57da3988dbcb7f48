import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Whether a site shows to-dos in the director application. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table sites add column director_to_dos_enabled boolean not null default true`.execute(
    database,
  );
}
