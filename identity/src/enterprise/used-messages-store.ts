import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { deleteInBatches } from '../store/delete-in-batches.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';

/** What a provider sends that is good once: an assertion, a sign-out. */
export type OnceMessage = { connectionId: string; id: string; rememberUntil: Date };

/**
 * Whether a message is used for the first time, and notes it; of any number at once, on whatever node, one is. By its plain hash: its id
 * is no secret, and must be known again after a change of keys.
 */
export async function isFirstUse(
  transaction: Database | DatabaseTransaction,
  { connectionId, id, rememberUntil }: OnceMessage,
): Promise<boolean> {
  const noted = await transaction
    .insertInto('used_assertions')
    .values({
      id_hash: createHash('sha256').update(`${connectionId} ${id}`).digest('base64url'),
      expires_at: rememberUntil,
    })
    .onConflict((conflict) => conflict.column('id_hash').doNothing())
    .returning('id_hash')
    .executeTakeFirst();
  return noted !== undefined;
}

/** Forgets those that would be refused for their time by now; answers how many. */
export function pruneUsedMessages(database: Database, now: Date): Promise<number> {
  return deleteInBatches(
    database,
    { table: 'used_assertions', key: ['id_hash'] },
    sql<boolean>`expires_at <= ${now}`,
  );
}
