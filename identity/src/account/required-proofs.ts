import type { AccountCallName } from '@anteroom/contract/account';
import type { FactorName } from '../factors/factor.ts';
import { factors, hasOwnFactor, mayAdd } from '../factors/factors.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { listFresh, hasFirstFactor, reachesSecondFactor } from '../sessions/assurance.ts';
import type { SignedInSession } from '../sessions/session.ts';
import type { Services } from '../services.ts';
import { unknownConnection } from '../sign-in/sign-in-facts.ts';
import { listSitesRequiringFactor } from '../sites/site-memberships-store.ts';
import type { Database } from '../store/schema.ts';
import { findActiveUser } from '../users/users-store.ts';
import type { User } from '../users/users-store.ts';

// docs/decisions/059-factors-and-proofs-of-an-account.md

/**
 * The proof that a call needs. `fresh`: at most 10 minutes old, so that a stolen session is not sufficient. `fresh
 * password or factor`: the second factor, if the user has one, with the password, or a passkey; otherwise the password
 * alone. `fresh own factor`: always the second factor.
 */
type Proof = 'none' | 'fresh password or factor' | 'fresh own factor';

type Requirement = {
  proof: Proof;
  /**
   * What a session from a company may do, without a proof of this service. `limited`: the handler gets the company as
   * `limitedTo`, and answers for that company alone.
   */
  company: 'allowed' | 'limited' | 'refused';
  /** The factor that the call adds, which the user must be allowed to add (`mayAdd`). */
  adds?: FactorName;
};

const own = { proof: 'fresh password or factor', company: 'refused' } as const;
const ownFactor = { proof: 'fresh own factor', company: 'refused' } as const;
const ownOrCompany = { proof: 'fresh password or factor', company: 'limited' } as const;

/** What each call of the account page needs. A missing call does not compile. */
export const requirements: Readonly<Record<AccountCallName, Requirement>> = {
  getAccountProof: { proof: 'none', company: 'allowed' },
  getAccount: ownOrCompany,
  endAccountSession: ownOrCompany,
  endOtherSessions: ownOrCompany,
  forgetComputers: own,
  getAccountActivity: own,
  getAccountData: own,
  renameAccountPasskey: own,
  beginAccountPasskey: { ...own, adds: 'passkey' },
  addAccountPasskey: { ...own, adds: 'passkey' },
  offerAuthenticatorApp: { ...own, adds: 'totp' },
  setUpAuthenticatorApp: { ...own, adds: 'totp' },
  sendPhoneNumberCode: { ...own, adds: 'sms' },
  setPhoneNumber: { ...own, adds: 'sms' },
  removeAccountPasskey: ownFactor,
  removeAuthenticatorApp: ownFactor,
  removePhoneNumber: ownFactor,
  makeRecoveryCodes: ownFactor,
};

/** The user of a call, whose account has not changed since the session authenticated. */
export type AccountCaller = {
  user: User;
  session: SignedInSession;
  exchange: Exchange;
  /** The connection whose company authenticated the user. Undefined: the user has given the own proof. */
  limitedTo: string | undefined;
};

/**
 * Requires what the call needs, before its handler runs.
 * @throws `unauthorized`, upon which the page asks the user to authenticate; `forbidden` if the user must not add the
 * factor
 */
export async function requireProof(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  call: AccountCallName,
  exchange: Exchange,
): Promise<AccountCaller> {
  const { proof, company, adds } = requirements[call];
  const session = await exchange.requireSignedIn();
  const user = await findActiveUser(database, session.userId);
  if (user === undefined || user.securityVersion !== session.securityVersion)
    throw unauthorized('the account has changed');
  if (session.externallyAuthenticated) {
    if (company === 'refused') throw unauthorized('the call requires a proof of this service');
    return { user, session, exchange, limitedTo: session.connectionId ?? unknownConnection };
  }
  const fresh = listFresh(session.methods, clock.now());
  const hasProvedFactor = reachesSecondFactor(fresh);
  const needsFactor = proof === 'fresh own factor' || hasOwnFactor(user);
  if (proof !== 'none' && !(needsFactor ? hasProvedFactor : hasFirstFactor(fresh)))
    throw unauthorized(`the call requires a ${proof}`);
  const caller = { user, session, exchange, limitedTo: undefined };
  if (adds !== undefined && !(await mayAddFactor(database, caller, adds, clock.now())))
    throw new ContractError('forbidden', {
      detail: 'a site requires a second factor, which a password alone cannot set up',
    });
  return caller;
}

function unauthorized(detail: string): ContractError {
  return new ContractError('unauthorized', { detail });
}

/** Whether the user may add the factor in this session. */
export async function mayAddFactor(
  database: Database,
  { user, session }: Pick<AccountCaller, 'user' | 'session'>,
  name: FactorName,
  now: Date,
): Promise<boolean> {
  const hasProvedFactor = reachesSecondFactor(listFresh(session.methods, now));
  const sites = hasProvedFactor ? [] : await listSitesRequiringFactor(database, user.id);
  return mayAdd(factors[name], { owner: user, hasProvedFactor, sites });
}
