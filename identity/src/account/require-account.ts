import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { listPasskeys } from '../passkeys/passkeys-store.ts';
import { findAcr, reachesAcr, secondFactorAcr } from '../sessions/assurance.ts';
import type { SignedInSession } from '../sessions/session.ts';
import type { Services } from '../services.ts';
import { isFresh } from '../sign-in/sign-in-facts.ts';
import { findActivePerson } from '../users/users-store.ts';
import type { Person } from '../users/users-store.ts';

/** The authenticated user of a call, whose account has not changed since the session authenticated. */
export type Account = { person: Person; session: SignedInSession; exchange: Exchange };

/**
 * Requires that the user authenticated in the last 10 minutes, so that a stolen session is not sufficient. If the user has
 * a second factor or a passkey, it must have been used: a password on a remembered computer is not sufficient.
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
  // a company decides which factors its users need
  const hasUsedFactor =
    session.externallyAuthenticated || reachesAcr(findAcr(session.methods), secondFactorAcr);
  const hasFactor = async (): Promise<boolean> =>
    person.secondFactor !== undefined || (await listPasskeys(database, person.id)).length > 0;
  if (!hasUsedFactor && (await hasFactor()))
    throw new ContractError('unauthorized', { detail: 'the account page requires the second factor' });
  return { person, session, exchange };
}
