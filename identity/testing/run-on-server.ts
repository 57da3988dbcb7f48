import { Client } from 'pg';

/** Runs one statement on a PostgreSQL server, outside of a transaction. */
export async function runOnServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
