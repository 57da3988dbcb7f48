import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { createEmbeddedDatabase } from '../src/store/embedded-database.ts';
import { migrate } from '../src/store/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data directory with all migrations applied, as an archive that PGlite loads. */
    embeddedTemplate: string;
    /** Where a PostgreSQL server answers; empty when none does. */
    testDatabaseUrl: string;
  }
}

const cacheDirectory = join(import.meta.dirname, '../../node_modules/.cache/anteroom');
const migrationsDirectory = join(import.meta.dirname, '../src/store/migrations');

/** Finds out once for the whole run which databases there are, and says so. */
export default async function findDatabases(project: TestProject): Promise<void> {
  project.provide('embeddedTemplate', await embeddedTemplate());
  const url = process.env['TEST_DATABASE_URL'] ?? 'postgres://root@127.0.0.1:5432/test';
  const version = await serverVersion(url);
  project.provide('testDatabaseUrl', version === undefined ? '' : url);
  const server =
    version === undefined
      ? `no PostgreSQL server answers at ${new URL(url).host} (TEST_DATABASE_URL)`
      : `PostgreSQL ${version} at ${new URL(url).host}`;
  process.stdout.write(`identity: store suites run on PGlite (embedded) and ${server}\n`);
}

/** Creating a database costs seconds, loading one a quarter of a second: it is created once for each state of the migrations. */
async function embeddedTemplate(): Promise<string> {
  const fingerprint = createHash('sha256');
  for (const name of readdirSync(migrationsDirectory).toSorted()) {
    fingerprint.update(name).update(readFileSync(join(migrationsDirectory, name)));
  }
  // which of them are applied
  fingerprint.update(readFileSync(join(migrationsDirectory, '../migrate.ts')));
  fingerprint.update(readFileSync(createRequire(import.meta.url).resolve('@electric-sql/pglite')));
  const file = join(cacheDirectory, `embedded-${fingerprint.digest('hex').slice(0, 16)}.tar`);
  if (existsSync(file)) return file;

  const pglite = await PGlite.create();
  try {
    await migrate(await createEmbeddedDatabase(pglite));
    const archive = await pglite.dumpDataDir('none');
    mkdirSync(cacheDirectory, { recursive: true });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, Buffer.from(await archive.arrayBuffer()));
    renameSync(draft, file);
  } finally {
    await pglite.close();
  }
  return file;
}

async function serverVersion(url: string): Promise<string | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version.split(' ')[0];
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}
