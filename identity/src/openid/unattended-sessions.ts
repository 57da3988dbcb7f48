import type { DatabaseTransaction } from '../store/schema.ts';
import { endProviderSession } from './provider-sessions.ts';

type ProviderSessionPayload = Parameters<typeof endProviderSession>[1] & { loginTs?: number };

/**
 * Ends the provider's sessions of a person that no session of ours stands for any more; applications are told once the transaction
 * holds. The two know each other by the moment of the sign-in alone: where that has moved on, one too many ends rather than one too few.
 */
export async function endUnattendedSessions(
  transaction: DatabaseTransaction,
  personId: string,
): Promise<void> {
  const standing = await transaction
    .selectFrom('sessions')
    .select('authenticated_at')
    .where('person_id', '=', personId)
    .where('ended_at', 'is', null)
    .execute();
  const moments = new Set(
    standing.map(({ authenticated_at: at }) => Math.floor((at?.getTime() ?? 0) / 1000)),
  );
  const rows = await transaction
    .selectFrom('openid_records')
    .select('payload')
    .where('model', '=', 'Session')
    .where('account_id', '=', personId)
    .execute();
  for (const { payload } of rows as { payload: ProviderSessionPayload }[])
    if (!moments.has(payload.loginTs ?? -1)) await endProviderSession(transaction, payload);
}
