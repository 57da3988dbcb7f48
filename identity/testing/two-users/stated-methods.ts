import * as v from 'valibot';
import type { Database } from '../../src/store/schema.ts';

/** A method of a session (`amr`), and the time at which the session states that the user proved it. */
export type StatedMethod = { method: string; atSeconds: number };

const stored = v.array(v.object({ method: v.string(), at: v.string() }));

/** Reads the methods of a session from the database, because no call returns them. */
export async function readStatedMethods(database: Database, idHash: string): Promise<StatedMethod[]> {
  const row = await database
    .selectFrom('sessions')
    .select('methods')
    .where('id_hash', '=', idHash)
    .executeTakeFirstOrThrow();
  return v
    .parse(stored, row.methods)
    .map(({ method, at }) => ({ method, atSeconds: Math.floor(new Date(at).getTime() / 1000) }));
}
