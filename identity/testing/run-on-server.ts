import { Client } from 'pg';

/** Runs statements on a PostgreSQL server, and returns the rows of the last one. */
export async function runOnServer(url: string, statements: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const results: unknown = await client.query<Record<string, unknown>>(statements);
    const [last] = [results].flat().slice(-1) as { rows: Record<string, unknown>[] }[];
    return last?.rows ?? [];
  } finally {
    await client.end();
  }
}
