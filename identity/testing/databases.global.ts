import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import { Client, Pool } from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../src/store/migrate.ts';
import type { Tables } from '../src/store/schema.ts';
import { requireEmbeddedTemplate } from './embedded-template.ts';
import { runOnServer } from './run-on-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** An archive of a data directory with all migrations applied. */
    embeddedTemplate: string;
    /** The URL of the PostgreSQL server; empty if none answers. */
    testDatabaseUrl: string;
    /** The template database on that server, which each suite copies. */
    serverTemplate: string;
  }
}

/** Finds and reports the databases once for the whole run, and prepares a template of each kind. */
export default async function findDatabases(project: TestProject): Promise<() => Promise<void>> {
  project.provide('embeddedTemplate', (await requireEmbeddedTemplate()).archive);
  const url = process.env['TEST_DATABASE_URL'] ?? 'postgres://root@127.0.0.1:5432/test';
  const version = await serverVersion(url);
  const hasServer = version !== undefined;
  const template = `template_${randomBytes(8).toString('hex')}`;
  if (hasServer) await createServerTemplate(url, template);
  project.provide('testDatabaseUrl', hasServer ? url : '');
  project.provide('serverTemplate', template);
  const server = hasServer
    ? `PostgreSQL ${version} at ${new URL(url).host}`
    : `no PostgreSQL server answers at ${new URL(url).host} (TEST_DATABASE_URL)`;
  process.stdout.write(`identity: store suites run on PGlite (embedded) and ${server}\n`);
  return async () => {
    if (hasServer) await runOnServer(url, `drop database ${template}`);
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
