import type { RecoveryCallInput } from '@anteroom/contract/recovery';
import { noteRefusal } from '../audit/audit.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { removePasskeys } from '../passkeys/passkeys-store.ts';
import { addSeconds } from '../lib/clock.ts';
import { revokeAccess } from '../openid/end-sessions.ts';
import type { RevokedAccess } from '../openid/end-sessions.ts';
import { replaceHash } from '../passwords/change.ts';
import { deleteRefusals, findRefusal, refusalValidityDays } from '../passwords/refusal-links.ts';
import { findActivePerson, lockPeople, setOwnPhoneNumber } from '../users/users-store.ts';
import { requireAllowance } from './request-mail.ts';
import { createPasswordMail } from './password-link.ts';
import type { RecoveryServices } from './recovery-services.ts';

/**
 * A user reports a change that they did not make. Ends all sessions, disables the password and e-mails a recovery link
 * to the address of the account. The link itself shows no account and sets no password, so an old e-mail is harmless.
 */
export function createRefuseChange(services: RecoveryServices) {
  return async ({ body }: RecoveryCallInput<'refuseChange'>, exchange: Exchange): Promise<undefined> => {
    await requireAllowance(services, exchange.address);
    const personId = await findRefusal(services, services.database, body.token);
    const noted = { event: 'recovery.refuse-change', personId } as const;
    const { sessionsEnded, devicesForgotten } = await noteRefusal(services.audit, noted, exchange, () =>
      closeAccount(services, body.token, personId, exchange),
    );
    const details = { sessionsEnded: String(sessionsEnded), devicesForgotten: String(devicesForgotten) };
    services.audit.note({ ...noted, result: 'success', details }, exchange);
  };
}

async function closeAccount(
  services: RecoveryServices,
  token: string,
  personId: string | undefined,
  exchange: Exchange,
): Promise<RevokedAccess> {
  if (personId === undefined) throw linkInvalid();
  // Before the transaction, because hashing waits in a queue. The password is random, so it is unknown to everyone.
  const newHash = await services.passwords.hash(services.random.token());
  const { language } = exchange;

  const { revoked, mail } = await services.database.transaction().execute(async (transaction) => {
    await lockPeople(transaction, [personId]);
    // Only one of several parallel uses passes: the others waited for the row lock and find no link.
    const isUsed = (await findRefusal(services, transaction, token)) === personId;
    const person = isUsed ? await findActivePerson(transaction, personId) : undefined;
    if (person === undefined) throw linkInvalid();
    await deleteRefusals(transaction, [personId]);
    const ended = await revokeAccess(services, transaction, personId);
    // An app, passkey or phone number that an attacker set up must not keep the user out or let the attacker in; older
    // ones cannot be refused by this link.
    const now = services.clock.now();
    const since = addSeconds(now, -refusalValidityDays * 24 * 60 * 60);
    await services.secondFactor.apps.remove(transaction, personId, since);
    await removePasskeys(transaction, personId, { since });
    await setOwnPhoneNumber(transaction, personId, { phoneNumber: undefined, at: now, since });
    const { passwordHash, email } = person;
    if (passwordHash !== undefined)
      await replaceHash(transaction, { personId, presentHash: passwordHash, newHash }, now);
    const { content } = await createPasswordMail(services, transaction, { person, language });
    return { revoked: ended, mail: email === undefined ? undefined : { to: email, ...content } };
  });
  services.notifyApplications();
  if (mail !== undefined) services.mail.sendLater(mail, exchange.log);
  return revoked;
}

function linkInvalid(): ContractError {
  return new ContractError('recovery_link_invalid');
}
