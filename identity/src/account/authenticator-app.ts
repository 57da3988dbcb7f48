import type { AccountCallAnswer, AccountCallInput } from '@anteroom/contract/account';
import { noteRefusal } from '../audit/audit.ts';
import { ContractError } from '../http/errors.ts';
import { findClient } from '../provider/clients-store.ts';
import { lockUsers } from '../users/users-store.ts';
import { factors as factorTable } from '../factors/factors.ts';
import type { FactorSubject } from '../factors/one-time-codes.ts';
import { queueAccountMail } from '../sign-in/account-mail.ts';
import { appAddress } from '../sign-in/authenticator-app.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { changeAccount, requireRemainingFactor } from './change-account.ts';
import type { AccountCaller } from './required-proofs.ts';

/**
 * Returns the secret and recovery codes for a new app. They are not stored yet, but stay the same until the session or
 * the account changes.
 */
export async function offerApp(
  { database, factors }: SignInServices,
  caller: AccountCaller,
  { refererClientId: id }: AccountCallInput<'offerAuthenticatorApp'>['body'],
): Promise<AccountCallAnswer<'offerAuthenticatorApp'>> {
  const { secret, recoveryCodes } = factors.apps.offer(subjectOf(caller));
  const client = id === undefined ? undefined : await findClient(database, id);
  return { secret, uri: appAddress(secret, client, caller.user.userName), recoveryCodes };
}

/**
 * Stores the offered app after checking a code, and replaces the present app. Wrong codes are not counted, because
 * guessing is pointless: the caller knows the secret.
 * @throws `invalid_credentials` for a wrong code
 */
export async function setUpOwnApp(
  services: SignInServices,
  caller: AccountCaller,
  { code }: AccountCallInput<'setUpAuthenticatorApp'>['body'],
): Promise<undefined> {
  const { apps } = services.factors;
  const subject = subjectOf(caller);
  const { user, exchange } = caller;
  const change = user.hasApp ? 'replaced' : 'set up';
  const noted = {
    event: 'second-factor.change',
    userId: user.id,
    details: { factor: 'totp', change },
  } as const;
  await noteRefusal(services.audit, noted, exchange, async () => {
    const step = apps.findOfferedStep(subject, code);
    if (step === undefined)
      throw new ContractError('invalid_credentials', { detail: 'the code of the offered app is wrong' });
    await changeAccount(
      services,
      caller,
      'appAdded',
      async (transaction) => {
        await apps.remove(transaction, user.id);
        await apps.setUp(transaction, subject, step);
      },
      factorTable.totp.method,
    );
  });
  services.audit.note({ ...noted, result: 'success' }, exchange);
}

/**
 * Removes the app. Does nothing if the user has none.
 * @throws `site_requires_mfa` if a site of the user requires it
 */
export async function removeOwnApp(services: SignInServices, caller: AccountCaller): Promise<undefined> {
  const { user, exchange } = caller;
  if (!user.hasApp) return;
  const noted = {
    event: 'second-factor.change',
    userId: user.id,
    details: { factor: 'totp', change: 'removed' },
  } as const;
  await noteRefusal(services.audit, noted, exchange, () =>
    changeAccount(services, caller, 'ownAppRemoved', async (transaction) => {
      await requireRemainingFactor(transaction, user.id, factorTable.totp.without(user));
      await services.factors.apps.remove(transaction, user.id);
    }),
  );
  services.audit.note({ ...noted, result: 'success' }, exchange);
}

/** Replaces the recovery codes. Sessions stay valid, because the user's authentication does not change. */
export async function createRecoveryCodes(
  services: SignInServices,
  caller: AccountCaller,
): Promise<AccountCallAnswer<'makeRecoveryCodes'>> {
  const { user, exchange } = caller;
  const recoveryCodes = await services.database.transaction().execute(async (transaction) => {
    await lockUsers(transaction, [user.id]);
    const codes = await services.factors.apps.renewRecoveryCodes(transaction, user.id);
    if (codes === undefined)
      throw new ContractError('not_found', { detail: 'the user has no authenticator app' });
    await queueAccountMail(services, transaction, user, 'recoveryCodesMade', exchange);
    return codes;
  });
  services.notices.sendDue();
  const details = { factor: 'recovery-code', change: 'made' };
  services.audit.note(
    { event: 'second-factor.change', result: 'success', userId: user.id, details },
    exchange,
  );
  return { recoveryCodes };
}

/** Binds the offer to the session. */
function subjectOf({ user, session }: AccountCaller): FactorSubject {
  return { uid: session.idHash, userId: user.id, securityVersion: user.securityVersion };
}
