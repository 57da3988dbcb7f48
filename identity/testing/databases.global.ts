import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import { Client, Pool } from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../src/store/migrate.ts';
import type { Tables } from '../src/store/schema.ts';
import { requireEmbeddedTemplate } from './embedded-template.ts';
import { runOnServer } from './run-on-server.ts';

/** The kinds of databases on which the suites of the store run; other tests use the first. */
type DatabaseKinds = readonly ['PGlite' | 'PostgreSQL', ...('PGlite' | 'PostgreSQL')[]];

/**
 * `TEST_DATABASES` chooses the kinds: `first` is PostgreSQL if a server answers, `other` is the other one. Without it,
 * tests run on both.
 */
function chooseKinds(hasServer: boolean): DatabaseKinds {
  if (!hasServer) return ['PGlite'];
  const chosen = process.env['TEST_DATABASES'];
  if (chosen === 'first') return ['PostgreSQL'];
  return chosen === 'other' ? ['PGlite'] : ['PostgreSQL', 'PGlite'];
}

declare module 'vitest' {
  interface ProvidedContext {
    /** An archive of a data directory with all migrations applied. */
    embeddedTemplate: string;
    /** The URL of the PostgreSQL server; empty if none answers. */
    testDatabaseUrl: string;
    /** The template database on that server; the names of its copies begin with its name. */
    serverTemplate: string;
    databaseKinds: DatabaseKinds;
  }
}

/** Finds and reports the databases once for the whole run, and prepares a template of each kind. */
export default async function findDatabases(project: TestProject): Promise<() => Promise<void>> {
  project.provide('embeddedTemplate', (await requireEmbeddedTemplate()).archive);
  const url = process.env['TEST_DATABASE_URL'] ?? 'postgres://root@127.0.0.1:5432/test';
  const version = await serverVersion(url);
  const hasServer = version !== undefined;
  const template = `anteroom_${randomBytes(8).toString('hex')}`;
  const stopServer = hasServer ? await prepareServer(url, template) : undefined;
  project.provide('testDatabaseUrl', hasServer ? url : '');
  project.provide('serverTemplate', template);
  const kinds = chooseKinds(hasServer);
  project.provide('databaseKinds', kinds);
  const found = hasServer ? `PostgreSQL ${version}` : `no PostgreSQL answers`;
  process.stdout.write(
    `identity: store suites run on ${kinds.join(' and ')} (${found} at ${new URL(url).host}, TEST_DATABASE_URL)\n`,
  );
  return async () => stopServer?.();
}

/**
 * Creates the template. A connection with its name shows to other runs that this run lives: they drop the databases of
 * runs that were killed.
 */
async function prepareServer(server: string, template: string): Promise<() => Promise<void>> {
  const alive = new Client({ connectionString: server, application_name: template });
  await alive.connect();
  const drop = async (condition: string): Promise<void> => {
    const { rows } = await alive.query<{ name: string }>(
      `select datname as name from pg_database where datname ~ '^anteroom_[0-9a-f]{16}(_|$)' and ${condition}`,
    );
    for (const { name } of rows) await alive.query(`drop database if exists ${name} with (force)`);
  };
  await drop('left(datname, 25) not in (select application_name from pg_stat_activity)');
  await createServerTemplate(server, template);
  return async () => {
    await drop(`left(datname, 25) = '${template}'`);
    await alive.end();
  };
}

/** Copying a database takes a tenth of the time of running all migrations. */
async function createServerTemplate(server: string, name: string): Promise<void> {
  await runOnServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: url.href, max: 1 }) }),
  });
  await migrate(database);
  await database.destroy();
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
