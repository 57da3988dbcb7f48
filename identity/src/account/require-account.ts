import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { listPasskeys } from '../passkeys/passkeys-store.ts';
import { findAcr, reachesAcr, secondFactorAcr } from '../sessions/assurance.ts';
import type { SignedInSession, AuthenticationMethod } from '../sessions/session.ts';
import type { Services } from '../services.ts';
import { isFresh } from '../sign-in/sign-in-facts.ts';
import { findActivePerson } from '../users/users-store.ts';
import type { Person } from '../users/users-store.ts';
import type { AccountChange } from '../messages/account-changed-mail.ts';
import { revokeAccessUnlessChanged } from '../openid/end-sessions.ts';
import { queueAccountMail } from '../sign-in/account-mail.ts';
import { renewSession } from '../sign-in/change-own-account.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import type { DatabaseTransaction } from '../store/schema.ts';

/** The authenticated user of a call, whose account has not changed since the session authenticated. */
export type Account = { person: Person; session: SignedInSession; exchange: Exchange };

/**
 * Requires that the user authenticated in the last 10 minutes, so that a stolen session is not sufficient. A user with
 * a second factor or a passkey must have used it: a password on a remembered computer is not sufficient.
 * @throws `unauthorized`, upon which the page asks the user to authenticate again
 */
export async function requireAccount(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  exchange: Exchange,
): Promise<Account> {
  const session = await exchange.requireSignedIn();
  const person = await findActivePerson(database, session.personId);
  if (person === undefined || person.securityVersion !== session.securityVersion)
    throw new ContractError('unauthorized', { detail: 'the account has changed' });
  if (!isFresh(session.authenticatedAt, clock.now()))
    throw new ContractError('unauthorized', {
      detail: 'the user must authenticate again for the account page',
    });
  // If an identity provider authenticated the user, the provider decides about second factors.
  const hasUsedFactor =
    session.externallyAuthenticated || reachesAcr(findAcr(session.methods), secondFactorAcr);
  const hasFactor = async (): Promise<boolean> =>
    person.secondFactor !== undefined || (await listPasskeys(database, person.id)).length > 0;
  if (!hasUsedFactor && (await hasFactor()))
    throw new ContractError('unauthorized', { detail: 'the account page requires the second factor' });
  return { person, session, exchange };
}

/**
 * Changes how the user signs in: ends all other sessions and revokes tokens and codes, renews the id of this session, and
 * notifies the user by mail. Only one of several concurrent changes succeeds.
 * @param proved the methods that the user has authenticated with during the change
 * @throws `unauthorized` if another change came first or the session has ended
 */
export async function changeAccount(
  services: SignInServices,
  { person, session, exchange }: Account,
  mail: AccountChange,
  change: (transaction: DatabaseTransaction) => Promise<void>,
  proved: readonly AuthenticationMethod[] = [],
): Promise<void> {
  const issued = await services.database.transaction().execute(async (transaction) => {
    const revoked = await revokeAccessUnlessChanged(services, transaction, person, session.idHash);
    if (revoked === undefined)
      throw new ContractError('unauthorized', { detail: 'the account was changed by another request' });
    await change(transaction);
    await queueAccountMail(services, transaction, person, mail, exchange);
    const account = { id: person.id, securityVersion: revoked.securityVersion };
    return await renewSession(exchange, session, account, transaction, {
      methods: [...new Set([...session.methods, ...proved])],
      // The change does not count as authentication.
      authenticatedAt: session.authenticatedAt,
    });
  });
  exchange.adopt(issued);
  services.notices.sendDue();
  services.openid.notifyApplications();
}
