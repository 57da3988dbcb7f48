import type { RecoveryCallAnswer, RecoveryCallInput } from '@anteroom/contract/recovery';
import { noteRefusal } from '../audit/note-refusal.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { languageOf } from '../http/language.ts';
import { findBrowserName } from '../lib/browser-name.ts';
import type { RevokedAccess } from '../openid/end-sessions.ts';
import { findActivePerson, lockPeople } from '../users/users-store.ts';
import type { Person } from '../users/users-store.ts';
import { replacePassword } from '../sign-in/replace-password.ts';
import { describeRulesFor, requireGoodPasswordFor } from './new-password-rules.ts';
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
): Promise<RevokedAccess> {
  const person = await requirePerson(services, personId);
  const language = languageOf(exchange.raw.request.headers);
  const browser = findBrowserName(exchange.raw.request.headers['user-agent']);
  await requireGoodPasswordFor(services, person, body.newPassword, language);
  const newHash = await services.passwords.hash(body.newPassword);

  const revoked = await services.database.transaction().execute(async (transaction) => {
    // of parallel uses of a link one gets through, also beside a change of the password: the others find nothing any more
    await lockPeople(transaction, [person.id]);
    const isUsed = (await services.links.consume(body.token, transaction)) !== undefined;
    const done =
      isUsed && (await replacePassword(services, transaction, { person, newHash, language, browser }));
    if (!done) throw linkInvalid();
    return done;
  });
  // failures with the old password say nothing of the new one, and 100 of them in a row are ended by it alone (NIST 3.2.2)
  await services.limits.forgive('password', person.id);
  services.notices.sendDue();
  services.tellApplications();
  return revoked;
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
