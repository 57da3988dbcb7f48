import { sql } from 'kysely';
import { deleteSignIns } from '../../sign-ins/sign-ins-store.ts';
import type { DatabaseTransaction } from '../../store/schema.ts';

/** Ends what an application holds of people: its grants with their codes and tokens, and sign-ins for it that are under way. */
export async function revokeGrantsOfClient(
  transaction: DatabaseTransaction,
  clientId: string,
): Promise<void> {
  await transaction
    .deleteFrom('openid_records')
    .where('model', '!=', 'Session')
    .where(
      sql<boolean>`(payload ->> 'clientId' = ${clientId} or payload -> 'params' ->> 'client_id' = ${clientId})`,
    )
    .execute();
  await deleteSignIns(transaction, { clientId });
}
