import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Board systems report to-dos by their own user names. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw('create index people_by_board_name on people (coalesce(boards_user_name, user_name))')
    .execute(database);
}
