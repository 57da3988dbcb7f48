import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Migration } from 'kysely/migration';
import * as initialSchema from './migrations/0001-initial-schema.ts';
import * as operators from './migrations/0002-operators.ts';
import * as accountsAndAudit from './migrations/0003-accounts-and-audit.ts';
import * as pinnedSites from './migrations/0004-pinned-sites.ts';
import * as connectionSecrets from './migrations/0005-connection-secrets.ts';
import type { Database } from './schema.ts';

/** In order, by name. Released migrations never change. */
const migrations: Record<string, Migration> = {
  '0001-initial-schema': initialSchema,
  '0002-operators': operators,
  '0003-accounts-and-audit': accountsAndAudit,
  '0004-pinned-sites': pinnedSites,
  '0005-connection-secrets': connectionSecrets,
};

/**
 * Applies all missing migrations in one transaction, so that a failure changes nothing; on PostgreSQL under an advisory
 * lock, so that only one of several starting nodes migrates while the others wait. Returns the names of the applied
 * migrations. A database with the migrations of a later version is accepted: tables only gain columns that the previous
 * version does not need (`docs/decisions/023-one-version-back.md`), so that a release can be rolled back and nodes of
 * both versions can run together.
 */
export async function migrate(database: Database, extra: Record<string, Migration> = {}): Promise<string[]> {
  const own = { ...migrations, ...extra };
  // queried before the migrator starts, which occupies the only connection of the embedded database
  const applied = await findAppliedMigrations(database);
  // the usual start needs no lock, and not the names of all tables of the database, which the migrator reads
  if (Object.keys(own).every((name) => applied.includes(name))) return [];
  const latest = Object.keys(own).toSorted().at(-1) ?? '';
  const later = applied.filter((name) => name > latest);
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(database);
  const migrator = new Migrator({
    db: database,
    // Without this, the migrator would find the tables of another installation in another schema of the database.
    migrationTableSchema: rows[0]?.schema,
    provider: { getMigrations: () => Promise.resolve({ ...own, ...withoutEffect(later) }) },
  });
  let { error, results = [] } = await migrator.migrateToLatest();
  for (let tries = 1; tries < mostTries && isGoneMeanwhile(error); tries += 1)
    ({ error, results = [] } = await migrator.migrateToLatest());
  const failed = results.find((result) => result.status === 'Error');
  if (failed !== undefined) {
    throw new Error(`The migration ${failed.migrationName} failed and was rolled back`, { cause: error });
  }
  if (error !== undefined) throw new Error('The database could not be migrated', { cause: error });
  return results.map((result) => result.migrationName);
}

/** Kysely reads the tables of every schema, and fails if another application drops a table at that moment. */
const mostTries = 10;
/** SQLSTATE: no such schema, no such table. */
const goneCodes: ReadonlySet<unknown> = new Set(['3F000', '42P01']);

function isGoneMeanwhile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && goneCodes.has(error.code);
}

async function findAppliedMigrations(database: Database): Promise<string[]> {
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass('kysely_migration') is not null as there`.execute(database);
  if (tables[0]?.there !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database);
  return rows.map(({ name }) => name);
}

/** Stands for applied migrations that this version does not know. */
const withoutEffect = (names: readonly string[]): Record<string, Migration> =>
  Object.fromEntries(names.map((name) => [name, { up: () => Promise.resolve() }]));
