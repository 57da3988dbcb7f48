import type { FactorOwner } from '../factors/factor.ts';
import { meetsAll } from '../factors/factors.ts';
import { ContractError } from '../http/errors.ts';
import type { AccountChange } from '../messages/account-changed-mail.ts';
import { revokeAccessUnlessChanged } from '../sign-out/end-sessions.ts';
import { joinMethods } from '../sessions/assurance.ts';
import type { AuthenticationMethod, IssuedSignedInSession, NewSession } from '../sessions/session.ts';
import { queueAccountMail } from '../sign-in/account-mail.ts';
import { renewSession } from '../sign-in/change-own-account.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { listSitesRequiringFactor } from '../sites/site-memberships-store.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { AccountCaller } from './required-proofs.ts';

/**
 * Changes how the user signs in: ends all other sessions and revokes tokens and codes, renews the id of this session, and
 * notifies the user by mail. Only one of several concurrent changes succeeds.
 * @param proved the method that the user has authenticated with during the change
 * @throws `unauthorized` if another change came first or the session has ended
 */
export async function changeAccount(
  services: SignInServices,
  { user, session, exchange }: AccountCaller,
  mail: AccountChange,
  change: (transaction: DatabaseTransaction) => Promise<void>,
  proved?: AuthenticationMethod,
): Promise<void> {
  const issued = await services.database.transaction().execute(async (transaction) => {
    const revoked = await revokeAccessUnlessChanged(services, transaction, user, session.idHash);
    if (revoked === undefined)
      throw new ContractError('unauthorized', { detail: 'the account was changed by another request' });
    await change(transaction);
    await queueAccountMail(services, transaction, user, mail, exchange);
    const account = { id: user.id, securityVersion: revoked.securityVersion };
    return await renewWithProof(services, { user: account, session, exchange }, proved, transaction);
  });
  exchange.adopt(issued);
  services.notices.sendDue();
  services.provider.notifyApplications();
}

/**
 * Renews the id of the caller's session. Every method keeps its time, because a change of the account proves nothing.
 * @param proved the method that the user has authenticated with during the change
 */
export async function renewWithProof(
  { clock }: Pick<SignInServices, 'clock'>,
  { user, session, exchange }: Pick<AccountCaller, 'session' | 'exchange'> & { user: NewSession['account'] },
  proved: AuthenticationMethod | undefined,
  transaction: DatabaseTransaction,
): Promise<IssuedSignedInSession> {
  const methods = joinMethods(
    session.methods,
    proved === undefined ? [] : [{ method: proved, at: clock.now() }],
  );
  return await renewSession(exchange, { ...session, methods }, user, transaction);
}

/**
 * Call this before removing a factor, in the same transaction. Each site that requires a second factor, now or from a
 * later date, must accept one of the remaining factors.
 * @param remaining what the user has afterwards
 * @throws `site_requires_mfa`
 */
export async function requireRemainingFactor(
  transaction: DatabaseTransaction,
  userId: string,
  remaining: FactorOwner,
): Promise<void> {
  const sites = await listSitesRequiringFactor(transaction, userId);
  if (!meetsAll(remaining, sites))
    throw new ContractError('site_requires_mfa', { detail: 'a site requires this last second factor' });
}
