import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** `docs/decisions/096-pinned-boards.md` */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table memberships add column pinned boolean not null default false`.execute(database);
}
