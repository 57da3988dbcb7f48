import type { RecoveryCallInput } from '@anteroom/contract/recovery';
import { noteRefusal } from '../audit/note-refusal.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { languageOf } from '../http/language.ts';
import { removePasskeys } from '../passkeys/passkeys-store.ts';
import { addSeconds } from '../lib/clock.ts';
import { revokeAccess } from '../openid/end-sessions.ts';
import type { RevokedAccess } from '../openid/end-sessions.ts';
import { replaceHash } from '../passwords/change-store.ts';
import { deleteRefusals, findRefusal, refusalValidityDays } from '../passwords/refusal-links.ts';
import { findActivePerson, lockPeople } from '../users/users-store.ts';
import { requireAllowance } from './message-limits.ts';
import { createPasswordMail } from './password-link.ts';
import type { RecoveryServices } from './recovery-services.ts';

/**
 * A user says of a change: this wasn't me. Every session ends, the password opens nothing any more, and a recovery link is mailed to the
 * account's address. The link itself shows no account and sets no password, so that a mail which lies around for days cannot either.
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
  // before the transaction, because hashing waits its turn: a password that nobody knows
  const newHash = await services.passwords.hash(services.random.token());
  const language = languageOf(exchange.raw.request.headers);

  const { revoked, mail } = await services.database.transaction().execute(async (transaction) => {
    await lockPeople(transaction, [personId]);
    // of parallel uses one comes this far: the others waited for the row and find no link
    const isUsed = (await findRefusal(services, transaction, token)) === personId;
    const person = isUsed ? await findActivePerson(transaction, personId) : undefined;
    if (person === undefined) throw linkInvalid();
    await deleteRefusals(transaction, [personId]);
    const ended = await revokeAccess(services, transaction, personId);
    // an app or a passkey of another person must neither keep the user out nor let that person in; an older one is no change that a link could refuse
    const since = addSeconds(services.clock.now(), -refusalValidityDays * 24 * 60 * 60);
    await services.secondFactor.apps.remove(transaction, personId, since);
    await removePasskeys(transaction, personId, { since });
    const { passwordHash, email } = person;
    if (passwordHash !== undefined)
      await replaceHash(transaction, { personId, presentHash: passwordHash, newHash }, services.clock.now());
    const { content } = await createPasswordMail(services, transaction, { person, language });
    return { revoked: ended, mail: email === undefined ? undefined : { to: email, ...content } };
  });
  services.tellApplications();
  if (mail !== undefined) services.mail.sendLater(mail, exchange.log);
  return revoked;
}

function linkInvalid(): ContractError {
  return new ContractError('recovery_link_invalid');
}
