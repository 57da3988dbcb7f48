import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { listPasskeys } from '../passkeys/passkeys-store.ts';
import { findAcr, reachesAcr, secondFactorAcr } from '../sessions/assurance.ts';
import type { SignedInSession } from '../sessions/session.ts';
import type { Services } from '../services.ts';
import { isFresh } from '../sign-in/sign-in-facts.ts';
import { findActivePerson } from '../users/users-store.ts';
import type { Person } from '../users/users-store.ts';

/** The user of a call of the account page, in the state of the account that the session was proved in. */
export type Account = { person: Person; session: SignedInSession; exchange: Exchange };

/**
 * The signed-in user, who has proved the account in the last 10 minutes: a stolen session alone changes nothing and shows nothing. A user with a
 * second factor or a passkey has shown one, so that a password at a remembered computer is not enough.
 * @throws `unauthorized`: the page begins a proof
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
      detail: 'the proof of the user is too old for the account page',
    });
  // what a company asked its user for is the company's
  const hasProvedFactor =
    session.externallyAuthenticated || reachesAcr(findAcr(session.methods), secondFactorAcr);
  const hasFactor = async (): Promise<boolean> =>
    person.secondFactor !== undefined || (await listPasskeys(database, person.id)).length > 0;
  if (!hasProvedFactor && (await hasFactor()))
    throw new ContractError('unauthorized', {
      detail: 'the second factor was not proved for the account page',
    });
  return { person, session, exchange };
}
