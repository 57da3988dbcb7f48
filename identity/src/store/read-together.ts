import { sql } from 'kysely';
import type { Expression, RawBuilder } from 'kysely';
import type { Database, DatabaseTransaction } from './schema.ts';

/** Queries by name. A query can refer to those before it by their names. */
export type Queries = Readonly<Record<string, Expression<unknown>>>;

/** The first row of each query. */
export type FirstRows<Read extends Queries> = {
  [Name in keyof Read]: Read[Name] extends Expression<infer Row> ? Row | undefined : never;
};

/**
 * Reads the first row of each query, or of those `wanted`, in one statement. `changes` are further parts of its `with`
 * clause, which write. The rows arrive as JSON, so the statement keeps its name when a table gains columns; columns that
 * end with `_at` become dates.
 */
export async function readTogether<Read extends Queries>(
  database: Database | DatabaseTransaction,
  queries: Read,
  changes: readonly RawBuilder<unknown>[] = [],
  wanted: readonly (keyof Read & string)[] = Object.keys(queries),
): Promise<FirstRows<Read>> {
  const parts = Object.entries(queries).map(([name, query]) => sql`${sql.id(name)} as (${query})`);
  const rows = wanted.map((name) => {
    const part = sql.id(name);
    return sql`(select to_json(${part}) from ${part} limit 1) as ${part}`;
  });
  const answer = await sql<Record<string, Record<string, unknown> | null>>`
    with ${sql.join([...parts, ...changes])} select ${sql.join(rows)}`.execute(database);
  return Object.fromEntries(
    Object.entries(answer.rows[0] ?? {}).map(([name, row]) => [
      name,
      row === null ? undefined : withDates(row),
    ]),
  ) as FirstRows<Read>;
}

function withDates(row: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(row)) {
    if (name.endsWith('_at') && typeof value === 'string') row[name] = new Date(value);
  }
  return row;
}
