import type { AccountCallAnswer, AccountCallInput } from '@anteroom/contract/account';
import { ContractError } from '../http/errors.ts';
import { listPasskeys, removePasskeys, renamePasskey } from '../passkeys/passkeys-store.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { addPasskey, toPasskeyUser } from '../sign-in/passkey-enrolment.ts';
import { requirePasskeys } from '../sign-in/passkey-sign-in.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { hasUsedOwnFactor, requireRemainingFactor } from './factor-rules.ts';
import { changeAccount } from './require-account.ts';
import type { Account } from './require-account.ts';

const challengeBinding = ({ browserId }: SignedInSession): string[] => ['account', browserId];

/** A passkey replaces the password and the code, so adding one requires a second factor of this service (decision 045). */
function requireSecondFactor({ session }: Account): void {
  if (!hasUsedOwnFactor(session))
    throw new ContractError('unauthorized', { detail: 'a new passkey requires a second factor' });
}

export async function beginPasskeyOf(
  services: SignInServices,
  account: Account,
): Promise<AccountCallAnswer<'beginAccountPasskey'>> {
  const passkeys = requirePasskeys(services);
  requireSecondFactor(account);
  return {
    options: await passkeys.beginEnrolment(toPasskeyUser(account.person), challengeBinding(account.session)),
  };
}

export async function addPasskeyOf(
  services: SignInServices,
  account: Account,
  credential: AccountCallInput<'addAccountPasskey'>['body']['credential'],
): Promise<AccountCallAnswer<'addAccountPasskey'>> {
  requireSecondFactor(account);
  const { person, session, exchange } = account;
  const { name } = await addPasskey(services, person, challengeBinding(session), credential, exchange);
  return { name };
}

/** Does nothing if the user has no such passkey. */
export async function renamePasskeyOf(
  { database, audit }: SignInServices,
  { person, exchange }: Account,
  passkey: { id: string; name: string },
): Promise<undefined> {
  if (!(await renamePasskey(database, person.id, passkey))) return;
  const details = { factor: 'passkey', change: 'renamed' };
  audit.note({ event: 'second-factor.change', result: 'success', personId: person.id, details }, exchange);
}

/**
 * Removes a passkey, ends all other sessions and renews the id of this one. Does nothing if the user has no such passkey.
 * @throws `site_requires_mfa` if a site of the user requires it
 */
export async function removePasskeyOf(
  services: SignInServices,
  account: Account,
  id: string,
): Promise<undefined> {
  const { person, exchange } = account;
  const present = await listPasskeys(services.database, person.id);
  if (!present.some((passkey) => passkey.id === id)) return;
  await changeAccount(services, account, 'passkeyRemoved', async (transaction) => {
    await requireRemainingFactor(transaction, person, 'passkey');
    await removePasskeys(transaction, person.id, { id });
  });
  const details = { factor: 'passkey', change: 'removed' };
  services.audit.note(
    { event: 'second-factor.change', result: 'success', personId: person.id, details },
    exchange,
  );
}
