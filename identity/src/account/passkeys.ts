import type { AccountCallAnswer, AccountCallInput } from '@anteroom/contract/account';
import { factors } from '../factors/factors.ts';
import { listPasskeys, removePasskeys, renamePasskey } from '../factors/passkeys-store.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { addPasskey, toPasskeyUser } from '../sign-in/passkey-enrolment.ts';
import { requirePasskeys } from '../sign-in/passkey-sign-in.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { changeAccount, renewWithProof, requireRemainingFactor } from './change-account.ts';
import type { AccountCaller } from './required-proofs.ts';

const challengeBinding = ({ browserId }: SignedInSession): string[] => ['account', browserId];

export async function beginPasskeyOf(
  services: SignInServices,
  caller: AccountCaller,
): Promise<AccountCallAnswer<'beginAccountPasskey'>> {
  const passkeys = requirePasskeys(services);
  return {
    options: await passkeys.beginEnrolment(toPasskeyUser(caller.user), challengeBinding(caller.session)),
  };
}

/** Adds a passkey. Its creation has verified the user, so it counts as proved in this session, like an app or a number. */
export async function addPasskeyOf(
  services: SignInServices,
  caller: AccountCaller,
  credential: AccountCallInput<'addAccountPasskey'>['body']['credential'],
): Promise<AccountCallAnswer<'addAccountPasskey'>> {
  const { user, session, exchange } = caller;
  const { name } = await addPasskey(services, user, challengeBinding(session), credential, exchange, {
    renew: (transaction) => renewWithProof(services, caller, factors.passkey.method, transaction),
  });
  return { name };
}

/** Does nothing if the user has no such passkey. */
export async function renamePasskeyOf(
  { database, audit }: SignInServices,
  { user, exchange }: AccountCaller,
  passkey: { id: string; name: string },
): Promise<undefined> {
  if (!(await renamePasskey(database, user.id, passkey))) return;
  const details = { factor: 'passkey', change: 'renamed' };
  audit.note({ event: 'second-factor.change', result: 'success', userId: user.id, details }, exchange);
}

/**
 * Removes a passkey, ends all other sessions and renews the id of this one. Does nothing if the user has no such passkey.
 * @throws `site_requires_mfa` if a site of the user requires it
 */
export async function removePasskeyOf(
  services: SignInServices,
  caller: AccountCaller,
  id: string,
): Promise<undefined> {
  const { user, exchange } = caller;
  const present = await listPasskeys(services.database, user.id);
  if (!present.some((passkey) => passkey.id === id)) return;
  await changeAccount(services, caller, 'passkeyRemoved', async (transaction) => {
    await removePasskeys(transaction, user.id, { id });
    const hasPasskey = (await listPasskeys(transaction, user.id)).length > 0;
    await requireRemainingFactor(transaction, user.id, { ...user, hasPasskey });
  });
  const details = { factor: 'passkey', change: 'removed' };
  services.audit.note(
    { event: 'second-factor.change', result: 'success', userId: user.id, details },
    exchange,
  );
}
