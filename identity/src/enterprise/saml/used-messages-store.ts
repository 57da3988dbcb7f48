import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { deleteInBatches } from '../../store/delete-in-batches.ts';
import type { Database, DatabaseTransaction } from '../../store/schema.ts';
import { SamlRefusal } from './refusal.ts';

/**
 * Notes that an assertion or a sign-out was used; of any number at once, on whatever node, one goes on. By its plain hash: its id is
 * no secret, and must be known again after a change of keys.
 * @throws `replayed` for one that was used before
 */
export async function requireUnused(
  transaction: Database | DatabaseTransaction,
  message: { connectionId: string; id: string; rememberUntil: Date },
): Promise<void> {
  const noted = await transaction
    .insertInto('used_assertions')
    .values({
      id_hash: createHash('sha256').update(`${message.connectionId} ${message.id}`).digest('base64url'),
      expires_at: message.rememberUntil,
    })
    .onConflict((conflict) => conflict.column('id_hash').doNothing())
    .returning('id_hash')
    .executeTakeFirst();
  if (noted === undefined) throw new SamlRefusal('replayed');
}

/** Forgets those that would be refused for their time by now; answers how many. */
export function pruneUsedMessages(database: Database, now: Date): Promise<number> {
  return deleteInBatches(
    database,
    { table: 'used_assertions', key: ['id_hash'] },
    sql<boolean>`expires_at <= ${now}`,
  );
}
