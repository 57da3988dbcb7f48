import { createHash } from 'node:crypto';
import type { Database, DatabaseTransaction } from '../store/schema.ts';

/** A message from a provider that is accepted once: an assertion, or a logout request or token. */
export type SingleUseMessage = { connectionId: string; id: string; rememberUntil: Date };

/**
 * Records a message and returns whether this is its first use, across all nodes. Stores a plain hash, because the id
 * is not secret and must be recognised after a key rotation.
 */
export async function isFirstUse(
  transaction: Database | DatabaseTransaction,
  { connectionId, id, rememberUntil }: SingleUseMessage,
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
