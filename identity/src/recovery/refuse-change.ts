import type { RecoveryCallInput } from '@anteroom/contract/recovery';
import { noteRefusal } from '../audit/audit.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { removePasskeys } from '../factors/passkeys-store.ts';
import { addSeconds } from '../lib/clock.ts';
import { revokeAccess } from '../sign-out/end-sessions.ts';
import type { RevokedAccess } from '../sign-out/end-sessions.ts';
import { replaceHash } from '../passwords/change.ts';
import { deleteRefusals, findRefusal, refusalValidityDays } from '../passwords/refusal-links.ts';
import { findActiveUser, lockUsers, setOwnPhoneNumber } from '../users/users-store.ts';
import { requireAllowance } from './request-mail.ts';
import { createPasswordMail } from './password-link.ts';
import type { RecoveryServices } from './recovery-services.ts';

/**
 * Handles a user's report of a change that the user did not make. Ends all sessions, disables the password and sends a
 * recovery link to the account's e-mail address. The reporting link itself reveals no account and sets no password, so
 * an old e-mail is harmless.
 */
export function createRefuseChange(services: RecoveryServices) {
  return async ({ body }: RecoveryCallInput<'refuseChange'>, exchange: Exchange): Promise<undefined> => {
    await requireAllowance(services, exchange.address);
    const userId = await findRefusal(services, services.database, body.token);
    const noted = { event: 'recovery.refuse-change', userId } as const;
    const { sessionsEnded, devicesForgotten } = await noteRefusal(services.audit, noted, exchange, () =>
      closeAccount(services, body.token, userId, exchange),
    );
    const details = { sessionsEnded: String(sessionsEnded), devicesForgotten: String(devicesForgotten) };
    services.audit.note({ ...noted, result: 'success', details }, exchange);
  };
}

async function closeAccount(
  services: RecoveryServices,
  token: string,
  userId: string | undefined,
  exchange: Exchange,
): Promise<RevokedAccess> {
  if (userId === undefined) throw linkInvalid();
  // Hashes before the transaction, because hashing waits in a queue. No user knows the new password, because it is
  // random.
  const newHash = await services.passwords.hash(services.random.token());
  const { language } = exchange;

  const { revoked, mail } = await services.database.transaction().execute(async (transaction) => {
    await lockUsers(transaction, [userId]);
    // Only one of several parallel uses succeeds: the others wait for the row lock and then find no link.
    const isUsed = (await findRefusal(services, transaction, token)) === userId;
    const user = isUsed ? await findActiveUser(transaction, userId) : undefined;
    if (user === undefined) throw linkInvalid();
    await deleteRefusals(transaction, [userId]);
    const ended = await revokeAccess(services, transaction, userId);
    // Removes apps, passkeys and phone numbers that an attacker may have set up, which would lock the user out or let
    // the attacker in. Keeps older ones, which this link cannot revoke.
    const now = services.clock.now();
    const since = addSeconds(now, -refusalValidityDays * 24 * 60 * 60);
    await services.factors.apps.remove(transaction, userId, since);
    await removePasskeys(transaction, userId, { since });
    await setOwnPhoneNumber(transaction, userId, { phoneNumber: undefined, at: now, since });
    const { passwordHash, email } = user;
    if (passwordHash !== undefined)
      await replaceHash(transaction, { userId, presentHash: passwordHash, newHash }, now);
    const { content } = await createPasswordMail(services, transaction, { user, language });
    return { revoked: ended, mail: email === undefined ? undefined : { to: email, ...content } };
  });
  services.notifyApplications();
  if (mail !== undefined) services.mail.sendLater(mail, exchange.log);
  return revoked;
}

function linkInvalid(): ContractError {
  return new ContractError('recovery_link_invalid');
}
