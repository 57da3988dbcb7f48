import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { createEmbeddedDatabase } from '../src/store/embedded-database.ts';
import { createLog } from '../src/lib/log.ts';
import { migrate } from '../src/store/migrate.ts';
import type { Database, Tables } from '../src/store/schema.ts';
import { createServerPool } from '../src/store/server-pool.ts';

export type TestDatabase = { database: Database; kind: 'PGlite' | 'PostgreSQL'; close: () => Promise<void> };

/** A fresh embedded database in memory, with all migrations. */
export async function openEmbeddedTestDatabase(): Promise<TestDatabase> {
  const template = new Blob([readFileSync(inject('embeddedTemplate'))]);
  const pglite = await PGlite.create({ loadDataDir: template });
  const database = await createEmbeddedDatabase(pglite);
  return { database, kind: 'PGlite', close: () => pglite.close() };
}

/** A fresh schema on the PostgreSQL server, with all migrations; gone after `close`. */
export async function openServerTestDatabase(): Promise<TestDatabase> {
  const schema = `suite_${randomBytes(8).toString('hex')}`;
  const url = new URL(inject('testDatabaseUrl'));
  // nothing that a test writes has to outlive a power cut
  url.searchParams.set('options', `-c search_path=${schema} -c synchronous_commit=off`);
  const settings = {
    kind: 'server' as const,
    urls: [url.href] as [string],
    poolSize: 10,
    statementTimeoutSeconds: 60,
    connectionTimeoutSeconds: 60,
  };
  const pool = createServerPool(settings, createLog('silent'));
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  await sql`create schema ${sql.id(schema)}`.execute(database);
  await migrate(database);
  return {
    database,
    kind: 'PostgreSQL',
    close: async () => {
      await sql`drop schema ${sql.id(schema)} cascade`.execute(database);
      await database.destroy();
    },
  };
}

/** Whether a PostgreSQL server answers; the run's first line says so too. */
export const serverIsThere = (): boolean => inject('testDatabaseUrl') !== '';

/**
 * One suite for every kind of database there is: `define` gets a way to the suite's own database, made before its
 * first test, and the kind of it. Tests of one suite share it and therefore use names of their own.
 */
export function describeStore(
  name: string,
  define: (store: () => TestDatabase, kind: TestDatabase['kind']) => void,
): void {
  const kinds: { kind: TestDatabase['kind']; open: () => Promise<TestDatabase> }[] = [
    { kind: 'PGlite', open: openEmbeddedTestDatabase },
    ...(serverIsThere() ? [{ kind: 'PostgreSQL' as const, open: openServerTestDatabase }] : []),
  ];
  describe.each(kinds)(`${name} on $kind`, ({ kind, open }) => {
    let opened: TestDatabase | undefined;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());
    define(() => {
      if (opened === undefined) throw new Error('The database is there once the first test runs');
      return opened;
    }, kind);
  });
}
