import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Board systems tell of people by the name that they know them by. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw('create index people_by_board_name on people (coalesce(boards_user_name, user_name))')
    .execute(database);
}
