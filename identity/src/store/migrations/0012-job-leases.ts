import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Which node runs a job, and when it is due again. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table job_leases (
        name text primary key,
        holder text not null,
        held_until timestamptz not null,
        next_run_at timestamptz not null
      )`,
    )
    .execute(database);
}
