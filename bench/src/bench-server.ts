import { Client } from 'pg';
import { isPortFree } from '../../tools/start/ports.ts';
import { startTemporaryPostgres } from '../../tools/test/postgres.ts';

/** A PostgreSQL server for benchmarks; `keeps` is true if its data survives the run. */
export interface BenchServer {
  url: string;
  keeps: boolean;
  stop: () => Promise<void>;
}

/** The server in `TEST_DATABASE_URL`, a local one, or a temporary one for this run. */
export async function openBenchServer(): Promise<BenchServer> {
  const here = (await isPortFree(5432, '127.0.0.1')) ? undefined : 'postgres://root@127.0.0.1:5432/test';
  const url = process.env['TEST_DATABASE_URL'] ?? here;
  if (url !== undefined) return { url, keeps: true, stop: () => Promise.resolve() };
  const temporary = await startTemporaryPostgres();
  if (!temporary) throw new Error('There is no PostgreSQL server, and none is installed to start.');
  return { ...temporary, keeps: false };
}

/** Returns the URL with a separate schema as its search path. */
export function inSchema(url: string, schema: string): string {
  const address = new URL(url);
  address.searchParams.set('options', `-c search_path=${schema}`);
  return address.href;
}

/** Creates a schema, and returns the URL with it as the search path. */
export async function createSchema(url: string, schema: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`create schema ${schema}`);
  await client.end();
  return inSchema(url, schema);
}
