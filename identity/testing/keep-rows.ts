import { sql } from 'kysely';
import type { Database } from '../src/store/schema.ts';

/**
 * Copies all rows of a database to a schema of its own, except what the service keeps about its own nodes. Returns a
 * function that restores them and deletes all others. No foreign key is checked meanwhile, so that any order works.
 */
export async function keepRows(database: Database): Promise<() => Promise<void>> {
  const eachTable = (statements: string) => sql`
    do $$
    declare name text;
    begin
      set local session_replication_role = replica;
      for name in select tablename from pg_tables where schemaname = 'public'
        and tablename not like 'kysely%' and tablename not in ('nodes', 'keys_in_use', 'job_leases') loop
        ${sql.raw(statements)}
      end loop;
    end $$`;
  await sql`create schema kept`.execute(database);
  await eachTable(`execute format('create table kept.%1$I as table public.%1$I', name);`).execute(database);
  const restoring = eachTable(`
    execute format('delete from public.%I', name);
    execute format('insert into public.%1$I overriding system value table kept.%1$I', name);`);
  return async () => void (await restoring.execute(database));
}
