import type { AccountCallAnswer, AccountCallInput } from '@anteroom/contract/account';
import { noteRefusal } from '../audit/note-refusal.ts';
import { ContractError } from '../http/errors.ts';
import { findClient } from '../openid/clients-store.ts';
import { lockPeople } from '../users/users-store.ts';
import type { AppSubject } from '../second-factor/authenticator-apps.ts';
import { appAddress } from '../sign-in/authenticator-app.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { changeAccount, tellOfChange } from './change-account.ts';
import type { Account } from './require-account.ts';
import { requireRemainingFactor } from './require-remaining-factor.ts';

/** What the user sets an app up with, or replaces the present one by: the same until this session or the account changes. Nothing is stored yet. */
export async function offerApp(
  { database, secondFactor }: SignInServices,
  account: Account,
  { refererClientId: id }: AccountCallInput<'offerAuthenticatorApp'>['body'],
): Promise<AccountCallAnswer<'offerAuthenticatorApp'>> {
  const { secret, recoveryCodes } = secondFactor.apps.offer(subjectOf(account));
  const client = id === undefined ? undefined : await findClient(database, id);
  return { secret, uri: appAddress(secret, client, account.person.userName), recoveryCodes };
}

/**
 * Stores the offered app, in the place of the present one, once it has shown a right code.
 * @throws `invalid_credentials` for a wrong one; the caller knows the secret, so guesses need no count
 */
export async function setUpOwnApp(
  services: SignInServices,
  account: Account,
  { code }: AccountCallInput<'setUpAuthenticatorApp'>['body'],
): Promise<void> {
  const { apps } = services.secondFactor;
  const subject = subjectOf(account);
  const { person, exchange } = account;
  const change = person.secondFactor === 'totp' ? 'replaced' : 'set up';
  const noted = {
    event: 'second-factor.change',
    personId: person.id,
    details: { factor: 'totp', change },
  } as const;
  await noteRefusal(services.audit, noted, exchange, async () => {
    const step = apps.findOfferedStep(subject, code);
    if (step === undefined)
      throw new ContractError('invalid_credentials', { detail: 'the code of the offered app is wrong' });
    await changeAccount(
      services,
      account,
      'appAdded',
      async (transaction) => {
        await apps.remove(transaction, person.id);
        await apps.setUp(transaction, subject, step);
      },
      ['otp'],
    );
  });
  services.audit.note({ ...noted, result: 'success' }, exchange);
}

/** A user without an app keeps everything. @throws `site_requires_mfa` when a site of the user would be left without a second factor */
export async function removeOwnApp(services: SignInServices, account: Account): Promise<void> {
  const { person, exchange } = account;
  if (person.secondFactor !== 'totp') return;
  const noted = {
    event: 'second-factor.change',
    personId: person.id,
    details: { factor: 'totp', change: 'removed' },
  } as const;
  await noteRefusal(services.audit, noted, exchange, () =>
    changeAccount(services, account, 'ownAppRemoved', async (transaction) => {
      await requireRemainingFactor(transaction, person, 'totp');
      await services.secondFactor.apps.remove(transaction, person.id);
    }),
  );
  services.audit.note({ ...noted, result: 'success' }, exchange);
}

/** New recovery codes in the place of those that are left. What is open stays: nothing that was proved is worth less for it. */
export async function makeRecoveryCodes(
  services: SignInServices,
  account: Account,
): Promise<AccountCallAnswer<'makeRecoveryCodes'>> {
  const { person, exchange } = account;
  const recoveryCodes = await services.database.transaction().execute(async (transaction) => {
    await lockPeople(transaction, [person.id]);
    const made = await services.secondFactor.apps.renewRecoveryCodes(transaction, person.id);
    if (made === undefined) throw new ContractError('not_found', { detail: 'there is no authenticator app' });
    await tellOfChange(services, transaction, account, 'recoveryCodesMade');
    return made;
  });
  services.notices.sendDue();
  const details = { factor: 'recovery-code', change: 'made' };
  services.audit.note(
    { event: 'second-factor.change', result: 'success', personId: person.id, details },
    exchange,
  );
  return { recoveryCodes };
}

/** Bound to the session: what was offered in another one is worth nothing in this one. */
function subjectOf({ person, session }: Account): AppSubject {
  return { uid: session.idHash, personId: person.id, securityVersion: person.securityVersion };
}
