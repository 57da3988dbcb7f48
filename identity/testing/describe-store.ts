import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { createEmbeddedDatabase } from '../src/store/embedded-database.ts';
import { createLog } from '../src/lib/log.ts';
import type { Database, Tables } from '../src/store/schema.ts';
import { createServerPool } from '../src/store/server-pool.ts';
import { runOnServer } from './run-on-server.ts';

export type TestDatabase = { database: Database; kind: 'PGlite' | 'PostgreSQL'; close: () => Promise<void> };

/** A fresh embedded database in memory, with all migrations. */
export async function openEmbeddedTestDatabase(): Promise<TestDatabase> {
  const template = new Blob([readFileSync(inject('embeddedTemplate'))]);
  const pglite = await PGlite.create({ loadDataDir: template });
  const database = await createEmbeddedDatabase(pglite);
  return { database, kind: 'PGlite', close: () => pglite.close() };
}

/** A fresh database on the PostgreSQL server, with all migrations; dropped by `close`. */
export async function openServerTestDatabase(): Promise<TestDatabase & { url: string }> {
  const name = `suite_${randomBytes(8).toString('hex')}`;
  const server = inject('testDatabaseUrl');
  await runOnServer(server, `create database ${name} template ${inject('serverTemplate')}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  // Nothing that a test writes must survive a power failure.
  url.searchParams.set('options', '-c synchronous_commit=off');
  const settings = {
    kind: 'server' as const,
    urls: [url.href] as [string],
    poolSize: 10,
    statementTimeoutSeconds: 60,
    connectionTimeoutSeconds: 60,
  };
  const pool = createServerPool(settings, createLog('silent'));
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    database,
    kind: 'PostgreSQL',
    url: url.href,
    close: async () => {
      await database.destroy();
      await runOnServer(server, `drop database ${name} with (force)`);
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
