import type { RecoveryCallAnswer, RecoveryCallInput } from '@anteroom/contract/recovery';
import { noteRefusal } from '../audit/note-refusal.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { languageOf } from '../http/language.ts';
import { passwordChangedMail } from '../messages/password-changed-mail.ts';
import { replacePassword } from '../passwords/change-store.ts';
import { findActivePerson } from '../people/people-store.ts';
import type { Person } from '../people/people-store.ts';
import { endProviderSessionsOf } from '../openid/provider-sessions.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import { describeRulesFor, requireGoodPassword } from './new-password-rules.ts';
import type { RecoveryServices } from './recovery-services.ts';

/** Whose password a link is for, and the rules of the new one. Looking does not use the link up. */
export function createOpenPasswordLink(services: RecoveryServices) {
  return async ({
    body,
  }: RecoveryCallInput<'openPasswordLink'>): Promise<RecoveryCallAnswer<'openPasswordLink'>> => {
    const person = await requirePerson(services, await services.links.find(body.token));
    return { userName: person.userName, passwordPolicy: await describeRulesFor(services, person) };
  };
}

/**
 * Sets the new password with the token of a link. Nobody is signed in by it, and the second factor is asked for at the next
 * sign-in as ever; whoever was signed in as this person, anywhere, is not any more (OWASP, forgotten password).
 */
export function createSetNewPassword(services: RecoveryServices) {
  return async ({ body }: RecoveryCallInput<'setNewPassword'>, exchange: Exchange): Promise<undefined> => {
    if (body.newPassword.normalize('NFC') !== body.newPasswordConfirmation.normalize('NFC'))
      throw new ContractError('passwords_do_not_match');
    // what is refused here leaves the link as it is, so that another password may be tried
    const personId = await services.links.find(body.token);
    const noted = { event: 'recovery.new-password', personId } as const;
    const { sessionsEnded, devicesForgotten } = await noteRefusal(services.audit, noted, exchange, () =>
      setNewPassword(services, body, personId, exchange),
    );
    const details = {
      sessionsEnded: String(sessionsEnded),
      devicesForgotten: String(devicesForgotten),
    };
    services.audit.note({ ...noted, result: 'success', details }, exchange);
  };
}

async function setNewPassword(
  services: RecoveryServices,
  body: RecoveryCallInput<'setNewPassword'>['body'],
  personId: string | undefined,
  exchange: Exchange,
): Promise<Ended> {
  const person = await requirePerson(services, personId);
  const language = languageOf(exchange.raw.request.headers);
  await requireGoodPassword(services, person, body.newPassword, language);
  const newHash = await services.passwords.hash(body.newPassword);

  const ended = await services.database.transaction().execute(async (transaction) => {
    await useLink(services, body.token, { person, newHash }, transaction);
    // whose mailbox is read by another learns of it (NIST SP 800-63B-4, 4.2.3)
    if (person.email !== undefined) {
      const mail = passwordChangedMail({ to: person.email, at: services.clock.now(), language });
      await services.notices.keep(mail, transaction);
    }
    return await endEverythingOf(services, person.id, transaction);
  });
  // failures with the old password say nothing of the new one, and 100 of them in a row are ended by it alone (NIST 3.2.2)
  await services.limits.forgive('password', person.id);
  services.notices.sendDue();
  services.tellApplications();
  return ended;
}

/** Of parallel uses of a link one gets through, also beside a change of the password: the others find nothing any more. */
async function useLink(
  { links, clock }: RecoveryServices,
  token: string,
  { person, newHash }: { person: Person; newHash: string },
  transaction: DatabaseTransaction,
): Promise<void> {
  const presentHash = person.passwordHash ?? '';
  const isReplaced =
    (await links.consume(token, transaction)) !== undefined &&
    (await replacePassword(transaction, { personId: person.id, presentHash, newHash }, clock.now()));
  if (!isReplaced) throw linkInvalid();
}

/** @throws `recovery_link_invalid`: unknown, used up, replaced, too old, or of somebody who may not enter; nobody is told which. */
async function requirePerson({ database }: RecoveryServices, personId: string | undefined): Promise<Person> {
  const person = personId === undefined ? undefined : await findActivePerson(database, personId);
  if (person === undefined) throw linkInvalid();
  return person;
}

function linkInvalid(): ContractError {
  return new ContractError('recovery_link_invalid');
}

type Ended = { sessionsEnded: number; devicesForgotten: number };

/** Whatever the old password has opened: sessions, sign-ins under way, what applications hold, and devices that skip the code. */
export async function endEverythingOf(
  { sessions, secondFactor }: Pick<RecoveryServices, 'sessions' | 'secondFactor'>,
  personId: string,
  transaction: DatabaseTransaction,
): Promise<Ended> {
  const sessionsEnded = await sessions.endAllOf(personId, { transaction });
  await transaction.deleteFrom('sign_ins').where('person_id', '=', personId).execute();
  await endProviderSessionsOf(transaction, personId, { except: undefined });
  return { sessionsEnded, devicesForgotten: await secondFactor.devices.forgetAllOf(personId, transaction) };
}
