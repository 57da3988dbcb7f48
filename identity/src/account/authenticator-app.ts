import type { AccountCallAnswer, AccountCallInput } from '@anteroom/contract/account';
import { noteRefusal } from '../audit/audit.ts';
import { ContractError } from '../http/errors.ts';
import { findClient } from '../openid/clients-store.ts';
import { lockPeople } from '../users/users-store.ts';
import type { AppSubject } from '../second-factor/authenticator-apps.ts';
import { queueAccountMail } from '../sign-in/account-mail.ts';
import { appAddress } from '../sign-in/authenticator-app.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { changeAccount } from './require-account.ts';
import { requireMayAddCodeFactor, requireRemainingFactor } from './factor-rules.ts';
import type { Account } from './require-account.ts';

/**
 * Returns the secret and recovery codes for a new app. They are not stored yet, but stay the same until the session or
 * the account changes.
 */
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
 * Stores the offered app after checking a code, and replaces the present app. Wrong codes are not counted, because
 * guessing is pointless: the caller knows the secret.
 * @throws `forbidden` if the user must not add a factor, `invalid_credentials` for a wrong code
 */
export async function setUpOwnApp(
  services: SignInServices,
  account: Account,
  { code }: AccountCallInput<'setUpAuthenticatorApp'>['body'],
): Promise<undefined> {
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
    await requireMayAddCodeFactor(services.database, account);
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

/**
 * Removes the app. Does nothing if the user has none.
 * @throws `site_requires_mfa` if a site of the user requires it
 */
export async function removeOwnApp(services: SignInServices, account: Account): Promise<undefined> {
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

/** Replaces the recovery codes. Sessions stay valid, because the user's authentication does not change. */
export async function createRecoveryCodes(
  services: SignInServices,
  account: Account,
): Promise<AccountCallAnswer<'makeRecoveryCodes'>> {
  const { person, exchange } = account;
  const recoveryCodes = await services.database.transaction().execute(async (transaction) => {
    await lockPeople(transaction, [person.id]);
    const codes = await services.secondFactor.apps.renewRecoveryCodes(transaction, person.id);
    if (codes === undefined)
      throw new ContractError('not_found', { detail: 'the user has no authenticator app' });
    await queueAccountMail(services, transaction, person, 'recoveryCodesMade', exchange);
    return codes;
  });
  services.notices.sendDue();
  const details = { factor: 'recovery-code', change: 'made' };
  services.audit.note(
    { event: 'second-factor.change', result: 'success', personId: person.id, details },
    exchange,
  );
  return { recoveryCodes };
}

/** Binds the offer to the session. */
function subjectOf({ person, session }: Account): AppSubject {
  return { uid: session.idHash, personId: person.id, securityVersion: person.securityVersion };
}
