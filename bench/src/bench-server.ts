import { isPortFree } from '../../tools/start/ports.ts';
import { startTemporaryPostgres } from '../../tools/test/postgres.ts';

/** A PostgreSQL server to measure on; `keeps` when what is put there is there the next time. */
export interface BenchServer {
  url: string;
  keeps: boolean;
  stop: () => Promise<void>;
}

/** The one that `TEST_DATABASE_URL` names, the one of this machine, or a new one for this run. */
export async function openBenchServer(): Promise<BenchServer> {
  const here = (await isPortFree(5432, '127.0.0.1')) ? undefined : 'postgres://root@127.0.0.1:5432/test';
  const url = process.env['TEST_DATABASE_URL'] ?? here;
  if (url !== undefined) return { url, keeps: true, stop: () => Promise.resolve() };
  const temporary = await startTemporaryPostgres();
  if (!temporary) throw new Error('There is no PostgreSQL server, and none is installed to start.');
  return { ...temporary, keeps: false };
}

/** Everything that connects by this address is in a schema of its own. */
export function inSchema(url: string, schema: string): string {
  const address = new URL(url);
  address.searchParams.set('options', `-c search_path=${schema}`);
  return address.href;
}
