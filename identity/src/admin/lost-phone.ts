import type { Locale } from '@anteroom/contract';
import { meetsAll } from '../factors/factors.ts';
import { removePasskeys } from '../factors/passkeys-store.ts';
import { revokeAccess } from '../sign-out/end-sessions.ts';
import { queueAccountMail } from '../sign-in/account-mail.ts';
import { listSitesRequiringFactor } from '../sites/site-memberships-store.ts';
import { findActiveUser } from '../users/users-store.ts';
import { permit } from './actor.ts';
import { runInTransaction } from './admin-context.ts';
import type { AdminContext } from './admin-context.ts';
import { recordChange } from './operator-events.ts';
import { RefusedError } from './problems.ts';
import { requireUserFor, users } from './users.ts';
import type { UserReference } from './users.ts';

export type LostPhone = {
  removed: ('app' | 'passkeys' | 'phone' | 'computers')[];
  sessions: number;
  /** Whether a site demands a second factor that the user would then not have. */
  needsNumber: boolean;
};

/**
 * Removes everything that was on a lost phone, ends all sessions and informs the user by mail. `phoneNumber`: the new
 * number; without one, codes by SMS end.
 */
export async function replaceLostPhone(
  context: AdminContext,
  reference: UserReference,
  { phoneNumber: given, language, dryRun }: { phoneNumber: string | null; language: Locale; dryRun: boolean },
): Promise<LostPhone> {
  const services = await context.services();
  permit(context, 'users:factors');
  const parsed = users.parseChanges({ phoneNumber: given });
  if ('problems' in parsed) throw new RefusedError(parsed.problems);
  const phoneNumber = (parsed.entry as { phoneNumber: string | null }).phoneNumber;
  const { id, ...result } = await runInTransaction(
    context,
    async (transaction): Promise<LostPhone & { id: string }> => {
      const { id } = await requireUserFor(context, 'users:factors', reference, transaction);
      const user = await findActiveUser(transaction, id);
      if (user === undefined) throw new RefusedError('the user is disabled', { kind: 'conflict' });
      const { sessionsEnded, devicesForgotten } = await revokeAccess(services, transaction, id);
      const hadApp = await services.factors.apps.remove(transaction, id);
      const passkeys = await removePasskeys(transaction, id, 'all');
      await transaction
        .updateTable('users')
        .set({ phone_number: phoneNumber, phone_number_set_at: null, updated_at: context.clock.now() })
        .where('id', '=', id)
        .execute();
      await transaction.deleteFrom('one_time_codes').where('user_id', '=', id).execute();
      await queueAccountMail(services, transaction, user, 'lostPhone', { language });
      await recordChange(context, transaction, { userId: id }, { resource: 'users', action: 'lost-phone' });
      const remaining = {
        ...user,
        hasApp: false,
        hasPasskey: false,
        phoneNumber: phoneNumber ?? undefined,
      };
      const demanding = await listSitesRequiringFactor(transaction, id);
      return {
        id,
        removed: [
          ...(hadApp ? (['app'] as const) : []),
          ...(passkeys.length > 0 ? (['passkeys'] as const) : []),
          ...(user.phoneNumber !== undefined && user.phoneNumber !== phoneNumber ? (['phone'] as const) : []),
          ...(devicesForgotten > 0 ? (['computers'] as const) : []),
        ],
        sessions: sessionsEnded,
        needsNumber: !meetsAll(remaining, demanding),
      };
    },
    { dryRun },
  );
  if (dryRun) return result;
  await services.codeLimits.forgive('second-factor', id);
  services.notices.sendDue();
  await context.notifyApplications();
  return result;
}
